import { htmlOf } from '../plan/render/comment-html.ts'

// A comment as GitHub shows it: its measures and colours, light and dark.

const STYLE = `
:root { color-scheme: light dark; --text: light-dark(#1f2328, #f0f6fc); --soft: light-dark(#59636e, #9198a1);
  --line: light-dark(#d1d9e0, #3d444d); --back: light-dark(#ffffff, #0d1117); --code: light-dark(#818b981f, #656c7633);
  --block: light-dark(#f6f8fa, #151b23); --link: light-dark(#0969da, #4493f8); }
body { margin: 0; padding: 16px; width: 860px; background: var(--back); color: var(--text); font: 14px/1.5 Plex, sans-serif; }
article { border: 1px solid var(--line); border-radius: 6px; }
header { padding: 8px 16px; background: var(--block); color: var(--soft); border-bottom: 1px solid var(--line);
  border-radius: 6px 6px 0 0; }
header b { color: var(--text); }
header span { border: 1px solid var(--line); border-radius: 2em; padding: 0 7px; font-size: 12px; }
main { padding: 16px; }
h3, h4 { margin: 24px 0 16px; line-height: 1.25; font-weight: 600; }
h3 { font-size: 1.25em; } h4 { font-size: 1em; }
.sign { width: 1em; height: 1em; vertical-align: -.12em; }
main > :first-child { margin-top: 0; } main > :last-child { margin-bottom: 0; }
p, blockquote, ul, pre, details { margin: 0 0 16px; }
blockquote { padding: 0 1em; color: var(--soft); border-left: .25em solid var(--line); }
ul { padding-left: 2em; } li + li { margin-top: .25em; } li > pre, li > p { margin-top: 16px; }
a { color: var(--link); text-decoration: underline; text-underline-offset: .2em; }
code { font: 85% 'Plex Mono', monospace; padding: .2em .4em; background: var(--code); border-radius: 6px; }
pre { padding: 16px; background: var(--block); border-radius: 6px; line-height: 1.45; white-space: pre-wrap; }
table { border-spacing: 0; border-collapse: collapse; margin-bottom: 16px; }
th, td { padding: 6px 13px; border: 1px solid var(--line); }
pre code { padding: 0; background: none; }
ins, del { text-decoration: none; display: inline-block; width: 100%; }
ins { color: light-dark(#116329, #aff5b4); background: light-dark(#dafbe1, #033a16); }
del { color: light-dark(#82071e, #ffdcd7); background: light-dark(#ffebe9, #67060c); }
em.note { font-style: normal; color: var(--soft); } em.mark { font-style: normal; color: light-dark(#953800, #ffa657); }`

/** The sign of a blocked plan: the letters of the picture have no such sign, and those of each machine look different. */
const NO_ENTRY = `<svg class="sign" viewBox="0 0 36 36"><circle cx="18" cy="18" r="18" fill="#dd2e44" /><path d="M6 18h24" stroke="#fff" stroke-width="7" /></svg>`

/** A line of a diff in the colours of its first character. */
const COLOURS: { readonly [first: string]: readonly [open: string, close: string] } = {
  '+': ['<ins>', '</ins>'],
  '-': ['<del>', '</del>'],
  '!': ['<em class="mark">', '</em>'],
  '#': ['<em class="note">', '</em>'],
}

/** The page around the comment. Its letters come from elsewhere, since they would hide what has changed. */
export function commentPage(comment: string): string {
  const body = htmlOf(markEnds(comment)).replaceAll(/\uE000\n?/g, '\n')
  return `<!doctype html>
<meta charset="utf-8" />
<title>The comment on a pull request</title>
<style>${STYLE}
</style>
<article>
<header><b>github-actions</b> <span>bot</span> commented</header>
<main>
${colourDiffs(body).replaceAll('⛔', NO_ENTRY).trim()}
</main>
</article>
`
}

/** micromark 4.0 drops the ends of lines of fences in tight lists (test/plan/render/comment-html.ts). */
function markEnds(markdown: string): string {
  return markdown.replaceAll(/^( *)```\w*\n([^]*?)^\1```$/gm, (fence) =>
    fence.replaceAll(/(?<=\n.*)\n/g, '\uE000\n').replace(/\uE000(?=\n *```$)/, ''),
  )
}

function colourDiffs(html: string): string {
  return html.replaceAll(/(?<=<code class="language-diff">)[^]*?(?=<\/code>)/g, (lines) =>
    lines.trimEnd().split('\n').map(colourLine).join('\n'),
  )
}

function colourLine(line: string): string {
  const [open, close] = COLOURS[line.charAt(0)] ?? ['', '']
  return `${open}${line}${close}`
}
