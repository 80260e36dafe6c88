import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import type { AppEnv } from '../server/app-env.ts'

// Style, letters and scripts. Each has the beginning of its digest in its address, so a browser keeps it for ever, and asks
// for another one when it has changed.

const FOR_EVER = 'public, max-age=31536000, immutable'

interface Asset {
  readonly href: string
  readonly type: string
  readonly content: Uint8Array<ArrayBuffer>
}

const FONTS = ['plex-sans-latin.woff2', 'plex-mono-latin.woff2'].map((name) => assetOf(`fonts/${name}`, 'font/woff2'))

const STYLE = assetOf('style.css', 'text/css; charset=utf-8', Buffer.from(styleText()))
const SCRIPT = assetOf('assets/console.js', 'text/javascript; charset=utf-8')

export const STYLE_HREF = STYLE.href
export const SCRIPT_HREF = SCRIPT.href
export const FONT_HREF = FONTS[0]?.href ?? ''

export function addAssets(app: Hono<AppEnv>): void {
  for (const { href, type, content } of [STYLE, SCRIPT, ...FONTS])
    app.get(href, () => new Response(content, { headers: { 'content-type': type, 'cache-control': FOR_EVER } }))
}

/** One sheet made of several files, which name the fonts by the files that these are. */
function styleText(): string {
  const text = ['tokens', 'base', 'frame', 'parts', 'changes', 'model', 'plan-form']
    .map((name) => read(`style/${name}.css`).toString())
    .join('')
  return text.replaceAll(/url\('([\w.-]+)'\)/g, (_, name: string) => `url('${fontHref(name)}')`)
}

function fontHref(name: string): string {
  const font = FONTS.find(({ href }) => href.endsWith(`/${name}`))
  if (font === undefined) throw new Error(`the style names a font that is not there: ${name}`)
  return font.href
}

function assetOf(path: string, type: string, content: Uint8Array<ArrayBuffer> = read(path)): Asset {
  const digest = hash('sha256', content, 'hex').slice(0, 12)
  return { href: `/console/assets/${digest}/${path.split('/').at(-1)}`, type, content }
}

function read(path: string): Buffer<ArrayBuffer> {
  return readFileSync(new URL(path, import.meta.url))
}
