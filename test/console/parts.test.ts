import { brotliCompressSync } from 'node:zlib'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { addAssets, ANALYSE_SCRIPT, SCRIPT_HREF } from '../../src/console/assets.ts'
import { failureView } from '../../src/console/pages/failure.ts'
import { shorten } from '../../src/console/parts/short-text.ts'
import type { AppEnv } from '../../src/server/app-env.ts'
import { withCode } from '../../src/console/parts/with-code.ts'
import { html } from '../../src/server/html.ts'

const CONSOLE = join(import.meta.dirname, '../../src/console')
const PARTS = readdirSync(join(CONSOLE, 'parts')).map((name) => readFileSync(join(CONSOLE, 'parts', name), 'utf8'))
const EXAMPLES = readFileSync(join(import.meta.dirname, '../support/parts-page.ts'), 'utf8')

/** Each makes a part of a page of others; those that ask the platform for what they show are made of these. */
const SHOWN = PARTS.flatMap((text) => [...text.matchAll(/^export function (\w+)\([^)]*(?:\([^)]*\)[^)]*)*\): Html/gms)])

it.each(SHOWN.map(([, name = '']) => name))('the part %s is shown on the page of the parts', (name) => {
  expect(EXAMPLES.includes(`${name}(`)).toBe(true)
})

it('the parts are found', () => {
  expect(SHOWN.length).toBeGreaterThan(15)
})

it('all scripts together have at most 48.5 KB, compressed', async () => {
  const app = new Hono<AppEnv>()
  addAssets(app)
  const folder = ANALYSE_SCRIPT.replace(/[^/]+$/, '')
  const names = readdirSync(join(CONSOLE, 'assets/analyse'))
  const hrefs = [SCRIPT_HREF, ...['uplot.js', ...names].map((name) => folder + name)]
  const sizes = await Promise.all(
    hrefs.map(async (href) => {
      const answer = await app.request(href)
      expect([href, answer.status]).toStrictEqual([href, 200])
      return brotliCompressSync(await answer.arrayBuffer()).byteLength
    }),
  )
  expect(sizes.length).toBeGreaterThan(15)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(48_500)
})

it('a browser gets no comments and no indents, and all lines where they are', async () => {
  const app = new Hono<AppEnv>()
  addAssets(app)
  const source = readFileSync(join(CONSOLE, 'assets/console.js'), 'utf8').split('\n')
  const served = (await (await app.request(SCRIPT_HREF)).text()).split('\n')
  expect(served).toStrictEqual(source.map((line) => (/^ *(?:\/\/|\/\*\*)/.test(line) ? '' : line.trimStart())))
  expect(served).toContain('')
})

it('code between backticks is shown as code, and a backtick alone stays', () => {
  expect(withCode('write `access: []` <here>').toString()).toBe('write <code>access: []</code> &lt;here&gt;')
  expect(withCode('a ` alone').toString()).toBe('a ` alone')
})

it('a failure shows what its message has between backticks as code', () => {
  const { verdict } = failureView(422, 'write `access: []` instead', 'trace')
  expect(verdict?.toString()).toBe('Write <code>access: []</code> instead.')
})

it('a long text is shortened between tags, and never within a letter, an escaped character or an attribute', () => {
  const long = '<'.repeat(200)
  expect(shorten(html`<a title="${long}">${long}</a>`).toString()).toBe(
    `<a title="${'&lt;'.repeat(200)}">${'&lt;'.repeat(160)}…</a>`,
  )
  expect(shorten('😀'.repeat(100))).toBe(`${'😀'.repeat(80)}…`)
  expect(shorten(`${'x'.repeat(159)}😀`)).toBe(`${'x'.repeat(159)}…`)
  expect(shorten(html`<b>${'&'.repeat(160)}</b>`).toString()).toBe(`<b>${'&amp;'.repeat(160)}</b>`)
})

it('a short text with many escaped characters stays whole', () => {
  const list = JSON.stringify([...'abcdefghijkl'])
  expect(shorten(html`<b>${list}</b>`).toString()).toBe(`<b>${list.replaceAll('"', '&quot;')}</b>`)
})
