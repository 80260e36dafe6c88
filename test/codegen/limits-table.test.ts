import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { limitsTable } from '../../src/codegen/limits-table.ts'

const DOCS = new URL('../../docs/', import.meta.url)

/** `at most 1,000`, `up to 64 MiB`, `limit of 100,000` */
const STATED = /\b(?:at most|up to|no more than|limit of)\s+(\d+(?:,\d{3})*(?: [KMG]iB)?)/g

test('each limit that the documentation states is in the generated table', async () => {
  const table = await limitsTable.emit()
  const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.md') && !path.startsWith('decisions/') && !path.startsWith('site/'),
  )
  const stated = pages.flatMap((page) =>
    [...readFileSync(new URL(page, DOCS), 'utf8').matchAll(STATED)].map(([text, number = '']) => ({
      page,
      text,
      number,
    })),
  )
  expect(stated.length).toBeGreaterThan(10)
  expect(stated.filter(({ number }) => !new RegExp(String.raw`(?<![\d,])${number}(?![\d,])`).test(table))).toEqual([])
})
