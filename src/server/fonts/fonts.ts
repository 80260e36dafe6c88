import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import { etag as ifChanged } from 'hono/etag'
import type { AppEnv } from '../app-env.ts'

// The fonts of all pages for people: the login UI and the console. The address of each font contains the beginning of
// its digest, so browsers can cache it for ever.

interface Font {
  readonly name: string
  readonly href: string
  readonly content: Uint8Array<ArrayBuffer>
}

const FONTS: readonly Font[] = ['plex-sans-latin.woff2', 'plex-mono-latin.woff2'].map((name) => {
  const content = readFileSync(new URL(name, import.meta.url))
  return { name, href: `/fonts/${hash('sha256', content, 'hex').slice(0, 12)}/${name}`, content }
})

const HEADERS = { 'content-type': 'font/woff2', 'cache-control': 'public, max-age=31536000, immutable' }

export function fontHref(name: string): string {
  const font = FONTS.find((one) => one.name === name)
  if (font === undefined) throw new Error(`the style names a font that is not there: ${name}`)
  return font.href
}

export function fontRoutes(app: Hono<AppEnv>): void {
  for (const { href, content } of FONTS) {
    const headers = { ...HEADERS, etag: `"${hash('sha256', content, 'base64url')}"` }
    app.get(href, ifChanged(), () => new Response(content, { headers }))
  }
}
