import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '../../../src/lib/diagnostic.ts'
import { annotate, withoutCommands } from '../../../src/reconcile/forge/workflow-commands.ts'
import { showPlan } from '../../../src/reconcile/apply/show-plan.ts'
import { created, planOf } from '../../plan/render/plan-builder.ts'
import { hostileText } from '../../plan/render/random-plans.ts'
import { holdfast } from '../run-command.ts'
import { workspace } from '../workspace.ts'

function annotations(diagnostics: readonly Diagnostic[], pathOf = (file: string): string | undefined => file): string {
  let written = ''
  annotate(diagnostics, { env: {}, stderr: { write: (text) => void (written += text), isTerminal: false } }, pathOf)
  return written
}

const finding: Diagnostic = {
  severity: 'error',
  code: 'missing-key',
  message: 'name is missing',
  pointer: '/services/0',
}
const place = { file: 'models/a.yaml', line: 3, column: 5 }

describe('findings as annotations', () => {
  it('stand at their lines', () => {
    expect(annotations([{ ...finding, ...place }])).toBe(
      '::error file=models/a.yaml,line=3,col=5,title=missing-key::name is missing\n',
    )
  })

  it('say where they are in words where they are in no file of the repository', () => {
    expect(annotations([finding])).toBe('::error title=missing-key::/services/0: name is missing\n')
    expect(annotations([{ ...finding, ...place }], () => undefined)).toBe(
      '::error title=missing-key::models/a.yaml: name is missing\n',
    )
  })

  it('are no more than GitHub shows of each kind, and the others are counted', () => {
    const many = [...Array(25).keys()].map((index) => ({ ...finding, message: `finding ${index}` }))
    const few = [...Array(10).keys()].map(() => ({ ...finding, severity: 'warning' as const }))
    const lines = annotations([...many, ...few])
      .trim()
      .split('\n')
    expect(lines.filter((line) => line.startsWith('::error'))).toHaveLength(10)
    expect(lines.filter((line) => line.startsWith('::warning'))).toHaveLength(10)
    expect(lines).toContain('::error title=Holdfast::16 more errors: see the log of this step')
  })

  it('are one line each that says nothing else to the runner, whatever is in them', () => {
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, (file, code, message) => {
        const lines = annotations([{ ...finding, ...place, file, code, message }]).split('\n')
        expect(lines).toHaveLength(2)
        expect(readCommand(lines[0] ?? '')).toMatchObject({ name: 'error', file, line: '3', col: '5' })
      }),
    )
  })
})

function plain(text: string): string {
  return text
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%25', '%')
}

/** As the runner reads a line (actions/runner, ActionCommand.TryParseV2). */
function readCommand(line: string): { readonly [name: string]: string } {
  const [, head = ''] = /^::(.*?)::/.exec(line) ?? []
  const [name = ''] = head.split(' ', 1)
  const words = head.slice(name.length + 1).split(',')
  return {
    name,
    ...Object.fromEntries(words.map((word) => [word.split('=', 1)[0], plain(word.slice(word.indexOf('=') + 1))])),
  }
}

describe('what a command prints inside GitHub Actions', () => {
  const actions = { GITHUB_ACTIONS: 'true' }

  it.each([
    ['::error::x', ': :error::x'],
    ['fine\n  ::add-mask::x', 'fine\n  : :add-mask::x'],
    ['a ##[error]x', 'a ## [error]x'],
    ['models/a.yaml:1:2: a::b', 'models/a.yaml:1:2: a::b'],
  ])('%j commands nothing', (text, said) => {
    expect(withoutCommands(text, actions)).toBe(said)
    expect(withoutCommands(text, {})).toBe(text)
  })

  it('a plan is one, also as markdown', async () => {
    const plan = planOf({ changes: [created('services', '##[add-mask]x', { name: '::stop-commands::x' })] })
    const stdout = { write: () => {}, isTerminal: false }
    for (const format of ['text', 'markdown'] as const) {
      const shown = await showPlan(plan, format, { stdout, env: actions }, { next: null })
      expect(shown).toContain('add-mask')
      expect(shown).not.toMatch(/##\[|^\s*::/m)
    }
  })

  it('validate annotates its findings', async () => {
    const cwd = workspace({ 'models/a.json': '{"characteristics": [{"code": "::error::"}]}' })
    const { code, stderr, stdout } = await holdfast('validate', { cwd, env: actions })
    expect(stderr).toMatch(/^::error file=models\/a\.json,line=1,col=22,title=missing-key::/m)
    expect(stdout).not.toMatch(/^\s*::/m)
    expect(code).toBe(1)
    expect((await holdfast('validate', { cwd })).stderr).not.toContain('::error')
  })
})
