import { createHash } from 'node:crypto';
import { type Palette, palettes } from './palette.js';

function variables(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, colour]) => `--${name}:${colour};`)
    .join('');
}

/** The page's one style sheet. No attribute of an element holds style, so that the page's policy can name this text by its digest. */
export const pageStyle = `
:root{color-scheme:light dark;${variables(palettes.light)}}
@media (prefers-color-scheme:dark){:root{${variables(palettes.dark)}}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:76rem;margin:0 auto;padding:1.5rem 1.25rem 3rem}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .25rem}
h2{font-size:1.15rem;margin:2.25rem 0 .5rem}
p{margin:.35rem 0;max-width:48rem}
.good{color:var(--good)}.bad{color:var(--bad)}.quiet{color:var(--quiet)}
.panel{background:var(--panel);border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;margin:1rem 0}
.panel.bad{border-left:.3rem solid var(--bad)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.25rem;margin:0}
dt{color:var(--quiet)}dd{margin:0}
code,.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.85em}
dd,td,th,li,.panel p{overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1rem}
caption{text-align:left;color:var(--quiet);padding:0 0 .4rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line)}
th:last-child,td:last-child{padding-right:0}
thead th{color:var(--quiet);font-weight:600;white-space:nowrap}
tbody th{font-weight:600}
.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.name{white-space:nowrap}
.timeline td.bar{width:55%;vertical-align:middle}
svg{display:block;width:100%;height:.8rem}
svg .track{fill:var(--track)}svg .passed{fill:var(--bar)}svg .failed{fill:var(--bad)}
details{border-bottom:1px solid var(--line);padding:.4rem 0}
summary{cursor:pointer}
summary:focus-visible{outline:2px solid var(--bar);outline-offset:2px}
ol{margin:.4rem 0;padding:0;list-style:none}
ol li{display:grid;grid-template-columns:5rem 1fr;gap:.75rem}
footer{margin-top:2.5rem;border-top:1px solid var(--line);padding-top:.75rem}
@media (max-width:40rem){
main{padding:1rem .75rem 2rem}
dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}
.timeline td.bar{width:35%}
.timeline .start{display:none}
.name{white-space:normal}
table.wide thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table.wide,table.wide tbody,table.wide tr,table.wide caption{display:block}
table.wide tr{border-bottom:1px solid var(--line);padding:.4rem 0}
table.wide th,table.wide td{display:block;border:0;padding:.05rem 0;text-align:left}
table.wide td[data-label]:not(:empty)::before{content:attr(data-label) ": ";color:var(--quiet)}
ol li{grid-template-columns:3.75rem 1fr;gap:.5rem}
}
@media print{details>*{display:block}}
`;

/** Nothing is loaded and nothing runs: the one style sheet, known by its digest, is all that the page may use. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'; base-uri 'none'; form-action 'none'`;
