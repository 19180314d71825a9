/** The style of the page: one column on a phone, contents beside it on a wide screen, in the reader's colour scheme. */
export const style = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#4d5761;--line:#d4dae0;--paper:#fff;--shade:#f4f6f8;--link:#0a58ca}
@media(prefers-color-scheme:dark){
:root{--ink:#e4e8ec;--soft:#a6b0ba;--line:#363d45;--paper:#14171a;--shade:#1e2328;--link:#7db4ff}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-999rem}
.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem 1rem;z-index:1}
header,main,nav{padding:1rem}
header{padding-bottom:0}
h1{font-size:1.9rem;line-height:1.2;margin:.5rem 0}
h2{font-size:1.45rem;margin:2.5rem 0 .5rem;padding-top:1rem;border-top:1px solid var(--line)}
h3{font-size:1.1rem;margin:2.2rem 0 .5rem}
h4{font-size:.95rem;margin:1.2rem 0 .4rem}
h2 a,h3 a{color:inherit;text-decoration:none}
h2 a:hover,h3 a:hover{text-decoration:underline}
p,ul,dl{margin:.5rem 0 1rem}
ul{padding-left:1.3rem}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9em}
pre{background:var(--shade);border:1px solid var(--line);border-radius:.4rem;padding:.8rem;overflow-x:auto}
pre code{user-select:all;-webkit-user-select:all;overflow-wrap:normal}
.method{font-size:.8em;font-weight:700;color:var(--soft)}
.fields>div{padding:.55rem 0;border-top:1px solid var(--line)}
dt{font-weight:600}
dt em{font-style:normal;font-weight:400;font-size:.85rem;color:var(--soft)}
dd{margin:0}
.type{color:var(--soft);font-size:.92rem}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.92rem}
th,td{text-align:left;padding:.4rem .8rem .4rem 0;border-bottom:1px solid var(--line);overflow-wrap:normal}
nav ul{list-style:none;padding-left:.8rem;margin:.2rem 0 .6rem}
nav>ul{padding:0}
nav a{text-decoration:none;display:inline-block;padding:.12rem 0}
nav a:hover{text-decoration:underline}
@media(min-width:64rem){
body{display:grid;grid-template:auto 1fr/19rem minmax(0,52rem);column-gap:2rem}
header{grid-column:2}
nav{grid-row:1/3;position:sticky;top:0;height:100vh;overflow-y:auto;font-size:.9rem;border-right:1px solid var(--line)}
main{grid-column:2;padding-bottom:6rem}}
@media print{nav,.skip{display:none}}
`;
