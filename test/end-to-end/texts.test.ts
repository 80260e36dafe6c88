import * as fc from 'fast-check'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { characteristic } from '../reconcile/sample.ts'
import { holdfast } from '../reconcile/run-command.ts'
import { workspace } from '../reconcile/workspace.ts'
import { applyAll } from '../support/domain.ts'
import { platform, usePlatform } from './real-platform.ts'

// Whatever text lives on a platform, an export writes it so that reading it again gives the same text.

usePlatform()

const BLANKS = [
  '',
  ' ',
  ' leading',
  'trailing ',
  '\tTab',
  'two\nlines',
  '\n',
  'ends in one\n',
  'dos\r\nline',
  '\r',
  '  \n x',
]
/** YAML reads these as something else than a text where they are not quoted. */
const OTHER_TYPES =
  'no Yes on null ~ true NaN .inf 1e3 0x1F 0o17 010 1_000 1.0 -0 12:30:45 2026-01-01 2026-01-01T00:00:00Z = <<'
const SYNTAX = [
  '- x',
  '# x',
  'x # y',
  'a: b',
  '? a',
  '| ',
  '> ',
  '!tag',
  '&anchor',
  '*alias',
  '%YAML',
  '@at',
  '{a',
  '[b',
]
const QUOTES = ['---', '...', "it's", '"quoted"', '`tick`', '\\n', '\\']
const REFERENCES = '${ $${ ${env:HOME} $$${x ${file:a $ }'
const UNICODE = [
  'Ünïcode',
  '℃',
  '日本語',
  '👩‍🚀',
  '\u0085',
  '\u2028',
  'a\ufeffmark',
  '\u00a0',
  '\u200b',
  '\u202eback',
  '\u007f',
  '\u001b[31m',
]
const AWKWARD = [BLANKS, OTHER_TYPES.split(' '), SYNTAX, QUOTES, REFERENCES.split(' '), UNICODE].flat()

const text = fc
  .oneof(
    fc.constantFrom(...AWKWARD),
    fc.array(fc.constantFrom(...AWKWARD), { maxLength: 4 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )
  .map(storable)

/** No database stores U+0000, and a text in a file must not begin with a byte order mark. */
function storable(value: string): string {
  return value.replaceAll('\0', '').replace(/^\ufeff+/, '')
}

/** As others put it onto the platform, without any file. */
async function live(texts: readonly string[]): Promise<void> {
  await platform.empty()
  await applyAll(platform.context, {
    characteristics: texts.map((description, index) =>
      characteristic(`c${index}`, { description, symbol: description }),
    ),
    metadataTypes: [{ key: 'note', entityType: 'SERVICE', dataType: 'STRING' }],
    services: texts.map((value, index) => ({
      code: `s${index}`,
      name: 'n',
      metadataKeyValueStore: [{ key: 'note', value: { string: value } }],
    })),
  })
}

it('an export of any texts plans to nothing', async () => {
  const cwd = workspace()
  const run = (line: string) => holdfast(line, { cwd, parts: platform.parts, env: { HOME: '/home/of/the/reader' } })
  const batch = fc.array(text, { minLength: 100, maxLength: 200 })
  await fc.assert(
    fc.asyncProperty(batch, async (texts) => {
      await live(texts)
      rmSync(join(cwd, 'models'), { recursive: true, force: true })
      expect(await run('export --out models')).toMatchObject({ code: 0, stderr: '' })
      const { code, stdout, stderr } = await run('plan --detailed-exitcode')
      expect({ code, verdict: stdout.split('\n')[0] || stderr }).toEqual({
        code: 0,
        verdict: expect.stringContaining('No changes on .holdfast. '),
      })
    }),
    { numRuns: 6, examples: [[AWKWARD]] },
  )
})
