import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { shorten } from '../../src/console/parts/short-text.ts'
import { html } from '../../src/server/html.ts'

const CONSOLE = join(import.meta.dirname, '../../src/console')
const PARTS = readdirSync(join(CONSOLE, 'parts')).map((name) => readFileSync(join(CONSOLE, 'parts', name), 'utf8'))
const EXAMPLES = ['components.ts', 'form-examples.ts'].map((name) => readFileSync(join(CONSOLE, 'pages', name), 'utf8'))

/** Each makes a part of a page of others; those that ask the platform for what they show are made of these. */
const SHOWN = PARTS.flatMap((text) => [...text.matchAll(/^export function (\w+)\([^)]*(?:\([^)]*\)[^)]*)*\): Html/gms)])

it.each(SHOWN.map(([, name = '']) => name))('the part %s is shown on the page of the parts', (name) => {
  expect(EXAMPLES.some((text) => text.includes(`${name}(`))).toBe(true)
})

it('the parts are found', () => {
  expect(SHOWN.length).toBeGreaterThan(15)
})

/** It draws the chart on the page of the parts, which nobody but developers opens. */
const NOT_FOR_PEOPLE = 'analyse/example.js'

it('all scripts together have at most 45 KB, compressed', () => {
  const assets = join(CONSOLE, 'assets')
  const own = readdirSync(assets, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.js') && name.replaceAll('\\', '/') !== NOT_FOR_PEOPLE,
  )
  const charts = createRequire(import.meta.url).resolve('uplot/dist/uPlot.iife.min.js')
  const sizes = [charts, ...own.map((name) => join(assets, name))].map(
    (path) => brotliCompressSync(readFileSync(path)).length,
  )
  expect(own.length).toBeGreaterThan(15)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(45 * 1_024)
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
