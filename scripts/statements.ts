// `npm run statements` runs the tests, and writes every statement of the store, with values, into statements.jsonl; more
// arguments choose the tests. `npm run statements -- --replay URL` runs these statements on another server.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { $ } from 'zx'
import { sameText, type Captured } from '../test/support/captured-statements.ts'
import { readStatements, replay, type Outcome } from './replay-statements.ts'

/** Refusals that are right, by the place of the statement. */
const EXCEPTIONS: readonly { readonly from: RegExp; readonly text: RegExp; readonly reason: string }[] = [
  {
    from: /^src\/store\/access\/bearers\.ts/,
    text: /\bunnest\(/,
    reason: 'tokens are looked up together only where the database is not distributed',
  },
]

const root = join(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    replay: { type: 'string' },
    file: { type: 'string', default: join(root, 'statements.jsonl') },
    list: { type: 'string' },
  },
})

if (values.replay === undefined) await capture(values.file, positionals)
else report(await replay(values.replay, readStatements(values.file)))

async function capture(file: string, filters: readonly string[]): Promise<void> {
  const all = `${file}.all`
  rmSync(all, { force: true })
  const env = { ...process.env, CAPTURED_STATEMENTS: all }
  await $({ cwd: root, preferLocal: true, env, stdio: 'inherit', nothrow: true })`vitest run --project whole ${filters}`
  const longest = new Map<string, Captured>()
  for (const one of existsSync(all) ? readStatements(all) : []) {
    const key = sameText(one.text)
    const known = longest.get(key)
    if (known === undefined || sizeOf(known) < sizeOf(one)) longest.set(key, one)
  }
  const found = [...longest.values()].sort((a, b) => (`${a.from} ${a.text}` < `${b.from} ${b.text}` ? -1 : 1))
  writeFileSync(file, found.map((one) => `${JSON.stringify(one)}\n`).join(''))
  rmSync(all, { force: true })
  process.stdout.write(`${found.length} statements are in ${file}\n`)
}

function sizeOf({ values: sent }: Captured): number {
  return JSON.stringify(sent).length
}

function report(outcomes: readonly Outcome[]): void {
  const refused = outcomes.filter(({ error }) => error !== undefined)
  const excepted = refused.filter(({ statement }) =>
    EXCEPTIONS.some(({ from, text }) => from.test(statement.from) && text.test(statement.text)),
  )
  for (const { statement, error } of refused.filter((one) => !excepted.includes(one)))
    process.stdout.write(`${statement.from}: ${error}\n  ${statement.text.replaceAll(/\s+/g, ' ').trim()}\n`)
  for (const { statement } of outcomes.filter(({ reach }) => reach === values.list))
    process.stdout.write(`${statement.from}: ${statement.text.replaceAll(/\s+/g, ' ').trim().slice(0, 200)}\n`)
  const counts = Map.groupBy(outcomes, ({ reach, error }) => (error === undefined ? reach : 'refused'))
  for (const [name, ones] of [...counts].sort()) process.stdout.write(`${name}: ${ones.length}\n`)
  if (excepted.length > 0) process.stdout.write(`refused for a known reason: ${excepted.length}\n`)
  if (refused.length > excepted.length) process.exitCode = 1
}
