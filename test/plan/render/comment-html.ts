import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

// A comment as a reader of GitHub's flavoured markdown sees it.

export interface Page {
  readonly tags: readonly string[]
  readonly links: readonly string[]
  readonly comments: readonly string[]
  /** What stands outside of code: there GitHub makes links of names, numbers and addresses. */
  readonly prose: string
  /** The lines of the blocks of code. */
  readonly codeLines: readonly string[]
}

export function htmlOf(markdown: string): string {
  // GitHub lets some HTML through, so that all of it has to be seen here. (In fences of tight lists micromark 4.0 drops
  // the ends of the lines, which GitHub does not: github.com/micromark/micromark/issues/201.)
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true })
}

const TAG = /<!--([\s\S]*?)-->|<(\/?)([a-z][a-z0-9]*)([^>]*)>/gi
const VOID = new Set(['br', 'hr', 'img', 'input'])

/** Throws where an element is not closed, or closed that was not opened. */
export function readPage(html: string): Page {
  const [tags, links, comments, prose, code] = [
    [] as string[],
    [] as string[],
    [] as string[],
    [] as string[],
    [] as string[],
  ]
  const open: string[] = []
  let last = 0
  const take = (text: string) => (open.includes('code') ? code : prose).push(text)
  for (const match of html.matchAll(TAG)) {
    take(html.slice(last, match.index))
    last = match.index + match[0].length
    const [, comment, slash, name = '', attributes = ''] = match
    if (comment !== undefined) {
      comments.push(comment)
      continue
    }
    tags.push(name)
    if (slash === '/') close(open, name, html, last)
    else if (!VOID.has(name)) open.push(name)
    const [, address] = /\s(?:href|src)="([^"]*)"/.exec(attributes) ?? []
    if (address !== undefined) links.push(address)
  }
  take(html.slice(last))
  if (open.length > 0) throw new Error(`not closed: ${open.join(' ')}`)
  return { tags, links, comments, prose: decoded(prose.join(' ')), codeLines: decoded(code.join('\n')).split('\n') }
}

function close(open: string[], name: string, html: string, position: number): void {
  const top = open.pop()
  if (top !== name) throw new Error(`</${name}> closes ${top}: ${html.slice(Math.max(0, position - 200), position)}`)
}

function decoded(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}
