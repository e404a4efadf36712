/** The page's colours by scheme. Each of the texts is read on both grounds, with a contrast of at least 4.5; bars need 3. */
export interface Palette {
  readonly ground: string;
  readonly panel: string;
  readonly line: string;
  readonly text: string;
  readonly quiet: string;
  readonly good: string;
  readonly bad: string;
  readonly bar: string;
  readonly track: string;
}

export const palettes: { readonly light: Palette; readonly dark: Palette } = {
  light: {
    ground: '#ffffff',
    panel: '#f5f7f9',
    line: '#d3d9e0',
    text: '#1c2128',
    quiet: '#525c68',
    good: '#14692f',
    bad: '#a8132b',
    bar: '#2263c4',
    track: '#e7ebf0',
  },
  dark: {
    ground: '#0f1318',
    panel: '#171d24',
    line: '#2f3844',
    text: '#e4e9ef',
    quiet: '#a3aebb',
    good: '#5fd17f',
    bad: '#ff8b86',
    bar: '#5b9df5',
    track: '#232b35',
  },
};
