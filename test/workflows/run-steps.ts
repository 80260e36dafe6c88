import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import type { Commands } from './commands.ts'
import { fillAll, holds, type Contexts, type Status } from './expressions.ts'
import { parseYaml, type Action, type Step } from './files.ts'
import type { GitRepository } from './git-repository.ts'
import { standIn } from './stand-ins.ts'

// The steps of a job, one after the other, as the runner of GitHub Actions does it.

export interface Machine {
  readonly git: GitRepository
  readonly workspace: string
  readonly temporary: string
  readonly artifacts: string
  readonly runId: number
  readonly commit: string
  /** What every step has in its environment. */
  readonly environment: { readonly [name: string]: string }
  readonly write: (text: string) => void
}

type Environment = { readonly [name: string]: string }
type Outputs = { readonly [name: string]: string }

interface Scope {
  readonly contexts: Contexts
  readonly env: Environment
  /** Of the composite action that the steps belong to. */
  readonly actionPath?: string
}

export interface StepsResult {
  readonly status: Status
  readonly outputs: { readonly [id: string]: Outputs }
}

export async function runSteps(steps: readonly Step[], machine: Machine, scope: Scope): Promise<StepsResult> {
  let status: Status = 'success'
  const done: { [id: string]: { outputs: Outputs; outcome: string; conclusion: string } } = {}
  for (const step of steps) {
    const contexts = { ...scope.contexts, steps: done }
    const inner = { ...scope, contexts: { ...contexts, env: scope.env } }
    if (!holds(step.if, inner.contexts, status)) continue
    const ended = await runStep(step, machine, inner)
    const isExcused = step['continue-on-error'] === true
    if (ended.status === 'failure' && !isExcused) status = 'failure'
    if (step.id !== undefined) {
      const conclusion = isExcused ? 'success' : ended.status
      done[step.id] = { outputs: ended.outputs, outcome: ended.status, conclusion }
    }
  }
  return { status, outputs: Object.fromEntries(Object.entries(done).map(([id, { outputs }]) => [id, outputs])) }
}

interface StepResult {
  readonly status: Status
  readonly outputs: Outputs
}

async function runStep(step: Step, machine: Machine, scope: Scope): Promise<StepResult> {
  const env = { ...scope.env, ...fillAll(step.env, scope.contexts) }
  machine.write(`\n--- ${step.name ?? step.uses ?? step.run?.split('\n')[0]}\n`)
  if (step.run !== undefined) return runScript(step.run, machine, { ...scope, env })
  const { uses = '' } = step
  const inputs = fillAll(step.with, scope.contexts)
  if (uses.startsWith('./')) return runAction(resolve(machine.workspace, uses), inputs, machine, { ...scope, env })
  const problem = standIn(uses)({ ...machine, inputs })
  if (problem !== undefined) machine.write(`${problem}\n`)
  return { status: problem === undefined ? 'success' : 'failure', outputs: {} }
}

async function runAction(path: string, given: Environment, machine: Machine, scope: Scope): Promise<StepResult> {
  const action = parseYaml<Action & { outputs?: { [name: string]: { value: string } } }>(
    readFileSync(join(path, 'action.yml'), 'utf8'),
  )
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(action.inputs, name))
  if (unknown.length > 0) throw new Error(`the action has no input ${unknown.join(', ')}`)
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default])
  const inputs = { ...fillAll(Object.fromEntries(defaults) as object, scope.contexts), ...given }
  const contexts = { ...scope.contexts, inputs }
  const { status, outputs } = await runSteps(action.runs.steps, machine, { contexts, env: scope.env, actionPath: path })
  const steps = Object.fromEntries(Object.entries(outputs).map(([id, one]) => [id, { outputs: one }]))
  const values = Object.entries(action.outputs ?? {}).map(([name, { value }]) => [name, value])
  return { status, outputs: fillAll(Object.fromEntries(values) as object, { ...contexts, steps }) }
}

async function runScript(script: string, machine: Machine, { env, actionPath }: Scope): Promise<StepResult> {
  const directory = join(machine.temporary, `step-${crypto.randomUUID()}`)
  mkdirSync(directory, { recursive: true })
  const [file, output] = [join(directory, 'script.sh'), join(directory, 'output')]
  writeFileSync(file, script)
  writeFileSync(output, '')
  const code = await bash(file, machine, {
    ...machine.environment,
    ...env,
    GITHUB_OUTPUT: output,
    ...(actionPath !== undefined && { GITHUB_ACTION_PATH: actionPath }),
  })
  if (code !== 0) machine.write(`Process completed with exit code ${code}.\n`)
  return { status: code === 0 ? 'success' : 'failure', outputs: outputsIn(readFileSync(output, 'utf8')) }
}

/** As GitHub does for `shell: bash`, with both outputs in one. */
const SHELL = 'exec bash --noprofile --norc -eo pipefail "$0" 2>&1'

function bash(file: string, { workspace, write }: Machine, env: Environment): Promise<number> {
  const options = { cwd: workspace, env, maxBuffer: 2 ** 26 }
  return new Promise((done) => {
    execFile('bash', ['-c', SHELL, file], options, (error, output) => {
      write(output)
      done(error === null ? 0 : Number(error.code))
    })
  })
}

function outputsIn(text: string): Outputs {
  const lines = text.split('\n').filter((line) => line.includes('='))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}

/** The programs that a step finds: `npm` only writes down what it is told, since the packages are there. */
export function searchPath(directory: string, commands: Commands): string {
  const shims = join(directory, 'bin')
  mkdirSync(shims, { recursive: true })
  writeFileSync(join(shims, 'npm'), '#!/bin/sh\necho "npm $*"\n', { mode: 0o755 })
  writeFileSync(join(shims, 'node'), commands.shim(directory), { mode: 0o755 })
  return [shims, '/usr/bin', '/bin'].join(delimiter)
}
