import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

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
