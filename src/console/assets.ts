import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Hono } from 'hono'
import { etag as ifChanged } from 'hono/etag'
import type { AppEnv } from '../server/app-env.ts'
import { GRAPHIQL_SCRIPTS, GRAPHIQL_STYLE, readGraphiql } from './graphiql-files.ts'
import { fontHref } from '../server/fonts/fonts.ts'

// Style sheet and scripts. The address of each contains the first digits of its digest. So browsers cache it for ever,
// and request it again only after it has changed.

const FOR_EVER = 'public, max-age=31536000, immutable'
const STYLE_TYPE = 'text/css; charset=utf-8'
const SCRIPT_TYPE = 'text/javascript; charset=utf-8'

interface Asset {
  readonly href: string
  readonly type: string
  readonly content: Uint8Array<ArrayBuffer>
}

const STYLE = assetOf('style.css', STYLE_TYPE, Buffer.from(styleText()))
const SCRIPT = assetOf('assets/console.js', SCRIPT_TYPE, Buffer.from(scriptText('assets/console.js')))
const ANALYSE = assetSet('assets/analyse', [['uplot.js', uplotText()]])

export const STYLE_HREF = STYLE.href
export const SCRIPT_HREF = SCRIPT.href
export const FONT_HREF = fontHref('plex-sans-latin.woff2')
export const ANALYSE_SCRIPT = ANALYSE.find(({ href }) => href.endsWith('/analyse.js'))?.href ?? ''

export function addAssets(app: Hono<AppEnv>): void {
  for (const asset of [STYLE, SCRIPT, ...ANALYSE]) {
    app.get(asset.href, ifChanged(), () => answerWith(asset))
  }
  app.get(`${API_FOLDER}/:digest/:name`, ifChanged(), (request) => {
    const asset = apiAssets()?.find(({ href }) => href === request.req.path)
    return asset === undefined ? request.notFound() : answerWith(asset)
  })
}

function answerWith({ href, type, content }: Asset): Response {
  // The address has the digest of the content. The server compresses each answer according to its client.
  const headers = { 'content-type': type, 'cache-control': FOR_EVER, vary: 'accept-encoding', etag: `W/"${href}"` }
  return new Response(content, { headers })
}

const API_FOLDER = '/console/assets/api'
let knownApiAssets: readonly Asset[] | null | undefined

/** The addresses of GraphiQL; null if it is not installed. */
export function apiHrefs(): { readonly script: string; readonly style: string } | null {
  const [script, , style] = apiAssets()?.map(({ href }) => href) ?? []
  return script === undefined || style === undefined ? null : { script, style }
}

/** GraphiQL and the script that starts it. They are read at the first use, because few people open that page. */
function apiAssets(): readonly Asset[] | null {
  if (knownApiAssets === undefined) knownApiAssets = readApiAssets()
  return knownApiAssets
}

function readApiAssets(): readonly Asset[] | null {
  const scripts = GRAPHIQL_SCRIPTS.map(readGraphiql)
  const style = readGraphiql(GRAPHIQL_STYLE)
  if (style === null || scripts.includes(null)) return null
  // The fonts of the style sheet are data addresses, which the content security policy forbids.
  const ownFonts = style.replaceAll(/@font-face\s*{[^{}]*}/g, '') + read('style/api.css').toString()
  const others = [
    ['graphiql.js', scripts.join('\n')],
    ['graphiql.css', ownFonts],
  ] as const
  return assetSet('assets/api', others, API_FOLDER)
}

/** Modules that import each other by name, and their style. They share one digest. */
function assetSet(
  folder: string,
  others: readonly (readonly [name: string, text: string])[],
  below = '/console/assets',
): readonly Asset[] {
  const names = readdirSync(new URL(folder, import.meta.url)).sort()
  const files = [...names.map((name) => [name, scriptText(`${folder}/${name}`)] as const), ...others]
  const digest = hash('sha256', files.flat().join('\0'), 'hex').slice(0, 12)
  return files.map(([name, text]) => ({
    href: `${below}/${digest}/${name}`,
    type: name.endsWith('.css') ? STYLE_TYPE : SCRIPT_TYPE,
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

/** uPlot as a module. It is built from uPlot's minified script, because its own module is twice as large. */
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
