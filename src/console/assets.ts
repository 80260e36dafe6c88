import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { Hono } from 'hono'
import { etag as ifChanged } from 'hono/etag'
import type { AppEnv } from '../server/app-env.ts'
import { acceptedCoding } from '../server/requests/accepted-type.ts'
import { fontHref } from '../server/fonts/fonts.ts'

// Style sheet and scripts. The address of each contains the first digits of its digest. So browsers cache it for ever,
// and request it again only after it has changed.

const FOR_EVER = 'public, max-age=31536000, immutable'
const SCRIPT_TYPE = 'text/javascript; charset=utf-8'

interface Asset {
  readonly href: string
  readonly type: string
  readonly content: Uint8Array<ArrayBuffer>
}

const STYLE = assetOf('style.css', 'text/css; charset=utf-8', Buffer.from(styleText()))
const SCRIPT = assetOf('assets/console.js', SCRIPT_TYPE, Buffer.from(scriptText('assets/console.js')))
const ANALYSE = scriptSet('assets/analyse', [['uplot.js', uplotText()]])

export const STYLE_HREF = STYLE.href
export const SCRIPT_HREF = SCRIPT.href
export const FONT_HREF = fontHref('plex-sans-latin.woff2')
export const ANALYSE_SCRIPT = ANALYSE.find(({ href }) => href.endsWith('/analyse.js'))?.href ?? ''

export function addAssets(app: Hono<AppEnv>): void {
  for (const asset of [STYLE, SCRIPT, ...ANALYSE]) {
    const { href, type, content } = asset
    const etag = `W/"${hash('sha256', content, 'base64url')}"`
    const headers = { 'content-type': type, 'cache-control': FOR_EVER, vary: 'accept-encoding', etag }
    app.get(href, ifChanged(), async ({ req }) => {
      if (acceptedCoding(req.header('accept-encoding'), BEST_FIRST) !== 'br') return new Response(content, { headers })
      return new Response(await packed(asset), { headers: { ...headers, 'content-encoding': 'br' } })
    })
  }
}

const compress = promisify(brotliCompress)
const packedAssets = new Map<Asset, Promise<Uint8Array<ArrayBuffer>>>()

/** Brotli in its slowest and smallest form comes first. The server compresses to other codings for each request. */
const BEST_FIRST = ['br', 'zstd', 'gzip'] as const

/** Compresses an asset once, at the first request, because compression is slow. */
function packed(asset: Asset): Promise<Uint8Array<ArrayBuffer>> {
  const known = packedAssets.get(asset) ?? compress(asset.content).then((bytes) => new Uint8Array(bytes))
  packedAssets.set(asset, known)
  return known
}

/** Modules that import each other by name. They share one digest. */
function scriptSet(folder: string, others: readonly (readonly [name: string, text: string])[]): readonly Asset[] {
  const names = readdirSync(new URL(folder, import.meta.url)).sort()
  const files = [...names.map((name) => [name, scriptText(`${folder}/${name}`)] as const), ...others]
  const digest = hash('sha256', files.flat().join('\0'), 'hex').slice(0, 12)
  return files.map(([name, text]) => ({
    href: `/console/assets/${digest}/${name}`,
    type: SCRIPT_TYPE,
    content: Buffer.from(text),
  }))
}

/** The script without comments and indentation. Line numbers stay the same. */
function scriptText(path: string): string {
  const comments = /^ *(?:\/\/.*|\/\*\*[^]*?\*\/)$/gm
  return read(path)
    .toString()
    .replaceAll(comments, (comment) => comment.replaceAll(/[^\n]/g, ''))
    .replaceAll(/^ +/gm, '')
}

/**
 * uPlot as a module. It is built from uPlot's minified script, because uPlot's own module has comments and is twice as
 * large.
 */
function uplotText(): string {
  const path = createRequire(import.meta.url).resolve('uplot/dist/uPlot.iife.min.js')
  return `${readFileSync(path, 'utf8')}\nexport default uPlot\n`
}

/** Joins the style sheets into one, and replaces the names of the fonts by their addresses. */
function styleText(): string {
  const parts = ['tokens', 'base', 'frame', 'parts', 'changes', 'model', 'plan-form', 'analyse', 'chooser', 'chart']
  const text = [...parts, 'print'].map((name) => read(`style/${name}.css`).toString()).join('')
  return text.replaceAll(/url\('([\w.-]+)'\)/g, (_, name: string) => `url('${fontHref(name)}')`)
}

function assetOf(path: string, type: string, content: Uint8Array<ArrayBuffer>): Asset {
  const digest = hash('sha256', content, 'hex').slice(0, 12)
  return { href: `/console/assets/${digest}/${path.split('/').at(-1)}`, type, content }
}

function read(path: string): Buffer<ArrayBuffer> {
  return readFileSync(new URL(path, import.meta.url))
}
