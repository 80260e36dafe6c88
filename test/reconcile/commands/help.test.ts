import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { completionsText, SHELLS } from '../../../src/reconcile/help/completions.ts'
import { EXAMPLES } from '../../../src/reconcile/help/examples.ts'
import { wordsOf } from '../../../src/reconcile/help/words.ts'
import { buildProgram } from '../../../src/reconcile/program.ts'
import { DOCUMENT_TYPE_NAMES } from '../../../src/records/record-type.ts'
import type { Context } from '../../../src/shell/io.ts'
import { holdfast } from '../run-command.ts'
import { workspace } from '../workspace.ts'

function program(ran: (name: string) => void = () => {}): Command {
  const built = buildProgram({} as Context, '', () => {})
  const visit = (command: Command): void => {
    for (const part of command.commands) visit(part)
    if (command.commands.length === 0) command.action(() => ran(command.name()))
  }
  visit(built)
  return built
}

describe('help', () => {
  it.each(['help plan', 'plan --help'])('%s shows the command with examples', async (line) => {
    const { code, stdout, stderr } = await holdfast(line, { cwd: workspace() })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Usage: holdfast plan \[options\]\n/)
    expect(stdout).toMatch(/\nExamples:\n {2}# compare with the platform in \.holdfast\/\n {2}holdfast plan\n/)
  })

  it('without a command is that of the program', async () => {
    const [asked, flag] = [await holdfast('help', { cwd: workspace() }), await holdfast('--help', { cwd: workspace() })]
    expect(asked).toEqual(flag)
  })

  it('of a part of a group is that of the part', async () => {
    expect((await holdfast('help trust github', { cwd: workspace() })).stdout).toMatch(/^Usage: holdfast trust github /)
    expect((await holdfast('help ci plan', { cwd: workspace() })).stdout).toMatch(/^Usage: holdfast ci plan /)
  })

  it.each(['trust', 'keys', 'ci'])('%s alone is a mistake, and lists its commands', async (group) => {
    const { code, stdout, stderr } = await holdfast(group, { cwd: workspace() })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^Usage: holdfast ${group} [^]*\nCommands:\n`))
  })

  it.each([
    ['help plna', "error: unknown command 'plna' (Did you mean plan?)\n"],
    ['help keys rotat', "error: unknown command 'rotat' (Did you mean rotate?)\n"],
  ])('%s names what is near', async (line, stderr) => {
    expect(await holdfast(line, { cwd: workspace() })).toMatchObject({ code: 1, stdout: '', stderr })
  })

  it('has an example for every command, and each can be typed', async () => {
    const groups = ['help', 'access', 'keys', 'trust', 'ci']
    const commands = wordsOf(program()).filter(({ words }) => !groups.includes(words.join(' ')))
    expect(Object.keys(EXAMPLES).toSorted()).toEqual(commands.map(({ words }) => words.join(' ')).toSorted())
    for (const [command, examples] of Object.entries(EXAMPLES)) {
      for (const [line] of examples) {
        const ran: string[] = []
        const words = line.replace(/ > .*/, '').split(' ')
        await program((name) => ran.push(name)).parseAsync(words, { from: 'user' })
        expect({ line, ran }).toEqual({ line, ran: [command.split(' ').at(-1)] })
      }
    }
  })
})

/** What bash offers after these words. */
function inBash(lines: readonly string[]): string[] {
  const script = `${completionsText('bash', wordsOf(program()))}
    while IFS=' ' read -r -a COMP_WORDS; do
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      if [[ \${COMP_WORDS[COMP_CWORD]} == _ ]]; then COMP_WORDS[COMP_CWORD]=; fi
      COMPREPLY=(); _holdfast; echo "\${COMPREPLY[*]}"
    done`
  const input = lines.map((line) => `${line}\n`).join('')
  return execFileSync('bash', ['-c', script], { cwd: workspace({ 'models/a.yaml': '', 'plan.json': '' }), input })
    .toString()
    .split('\n')
    .slice(0, -1)
}

describe('completions', () => {
  it('of bash: commands, options, values and paths', () => {
    const offered = {
      'holdfast pl': 'plan',
      'holdfast keys _': 'rotate -h --help',
      'holdfast keys rotate --f': '--format',
      'holdfast plan --format _': 'text json markdown',
      'holdfast export --format _': 'yaml json',
      'holdfast plan --models _': 'models',
      'holdfast plan --url _': '',
      'holdfast apply pl': 'plan.json',
      'holdfast rename ch': DOCUMENT_TYPE_NAMES.filter((name) => name.startsWith('ch')).join(' '),
      'holdfast help ro': 'rollback',
      'holdfast completions _': 'bash zsh fish -h --help',
      'holdfast history --url x --lim': '--limit',
    }
    expect(inBash(Object.keys(offered))).toEqual(Object.values(offered))
  })

  it.each(SHELLS)('of %s are a script to it, and hold every option of every command', async (shell) => {
    const { code, stdout, stderr } = await holdfast(`completions ${shell}`, { cwd: workspace() })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const options = wordsOf(program()).flatMap((command) => command.options.flatMap(({ names }) => names))
    const spelled =
      shell === 'fish' ? (name: string) => name.replace(/^--?/, (dashes) => (dashes === '--' ? '-l ' : '-s ')) : String
    expect(options.filter((name) => !stdout.includes(spelled(name)))).toEqual([])
    const { status, stderr: said } = spawnSync(shell, ['-n', join(workspace({ script: stdout }), 'script')], {
      encoding: 'utf8',
    })
    // Null: this shell is not on this machine.
    expect({ status: status ?? 0, said: said ?? '' }).toEqual({ status: 0, said: '' })
  })
})

describe('--format json is alone on standard output', () => {
  it('of init', async () => {
    const cwd = workspace()
    const made = JSON.parse((await holdfast('init site --format json', { cwd })).stdout) as { written: string[] }
    expect(made.written).toContain('site/models/rooms.yaml')
    expect(JSON.parse((await holdfast('init site --format json', { cwd })).stdout)).toMatchObject({ written: [] })
  })

  it('of types and of serve, where it also says what is wrong', async () => {
    const files = { stale: async () => [], write: async () => ['generated/a.ts'] }
    const parts = { generatedFiles: async () => files, serve: () => Promise.reject(new Error('inside')) }
    const run = async (line: string) =>
      JSON.parse((await holdfast(line, { cwd: workspace(), parts })).stdout) as unknown
    expect(await run('types --format json')).toEqual({ written: ['generated/a.ts'] })
    expect(await run('types --check --format json')).toEqual({ stale: [] })
    expect(await run('serve --format json')).toMatchObject({ error: { code: 'INTERNAL' } })
  })
})
