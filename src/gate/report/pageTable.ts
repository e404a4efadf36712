import { type Markup, type MarkupValue, markup } from './markup.js';

interface Table {
  readonly caption: string;
  readonly columns: readonly string[];
  /** Columns that hold numbers. */
  readonly numbers?: readonly string[];
  readonly rows: readonly (readonly MarkupValue[])[];
}

export function table({ caption, columns, numbers = [], rows }: Table): Markup {
  const number = (column: string) => (numbers.includes(column) ? markup` class="number"` : undefined);
  const head = columns.map((column) => markup`<th scope="col"${number(column)}>${column}</th>`);
  const cells = (row: readonly MarkupValue[]) =>
    columns.map((column, at) =>
      at === 0
        ? markup`<th scope="row">${row[at]}</th>`
        : markup`<td data-label="${column}"${number(column)}>${row[at]}</td>`,
    );
  return markup`<table class="wide">
<caption>${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${rows.map((row) => markup`<tr>${cells(row)}</tr>\n`)}</tbody>
</table>
`;
}

export function section(id: string, title: string, content: readonly Markup[]): Markup {
  return markup`<section aria-labelledby="${id}">\n<h2 id="${id}">${title}</h2>\n${content}</section>\n`;
}

export function code(text: string): Markup {
  return markup`<span class="code">${text}</span>`;
}
