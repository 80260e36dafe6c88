import { appendFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { strongSecret } from '../support/example-records.ts'
import { holdfast } from '../reconcile/run-command.ts'
import { workspace } from '../reconcile/workspace.ts'
import { platform, usePlatform } from './real-platform.ts'

// A platform that people filled by hand comes under the rule of Git.

usePlatform()

const BY_HAND: readonly (readonly [type: string, input: object])[] = [
  [
    'Characteristic',
    { code: 'temp', name: 'Temperature', characteristicType: 'MEASUREMENT', dataType: 'FLOAT', symbol: '°C' },
  ],
  ['Service', { code: 'climate', name: 'Climate', characteristics: [{ code: 'temp' }] }],
  [
    'ComponentModel',
    { code: 'sensor', name: 'Sensor', componentType: 'DEVICE', services: [{ code: 'climate', index: 2 }] },
  ],
  ['EventModel', { code: 'frost', eventType: 'RANGED', entityType: 'COMPONENT' }],
  ['Organization', { name: 'Lindenhof', alias: 'lindenhof', organizationUnits: [{ name: 'Office' }] }],
  ['User', { email: 'ada@example.org', name: 'Ada', organization: { alias: 'lindenhof' } }],
  ['MachineUser', { username: 'gateway', password: strongSecret('gateway') }],
]

async function fillByHand(): Promise<void> {
  for (const [type, input] of BY_HAND) {
    await platform.graphql(`mutation Create($input: ${type}Input!) { create${type}(input: $input) { uuid } }`, {
      input,
    })
  }
}

it('export, empty plan, apply, and from then on nothing leaves by accident', async () => {
  await fillByHand()
  const cwd = workspace()
  const env = { MACHINE_USER_GATEWAY_PASSWORD: strongSecret('gateway') }
  const run = (line: string) => holdfast(line, { cwd, env, parts: platform.parts })

  const exported = await run('export --out models')
  expect(exported).toMatchObject({ code: 0, stderr: '' })
  const files = readdirSync(join(cwd, 'models'))
  expect(files).toContain('eventModels.yaml')

  // Files exist for every type that has records, and say what is there already.
  const unsure = await holdfast('plan --detailed-exitcode', { cwd, parts: platform.parts })
  expect(unsure).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/^No changes found on \S+, 1 record not compared\. /),
  })
  const first = await run('plan --detailed-exitcode')
  expect(first.stdout).toMatch(/^No changes on \S+\. /)
  expect(first.code).toBe(0)

  // Before the first apply, a file that goes is only a type less to adopt.
  const applied = await run('apply --yes')
  expect(applied.stdout).toContain('From now on the platform remembers which record types the models manage')
  expect(applied.code).toBe(0)
  expect(await run('apply --yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Nothing had to be applied.'),
  })

  rmSync(join(cwd, 'models/eventModels.yaml'))
  const blocked = await run('plan --detailed-exitcode')
  expect(blocked.stdout).toMatch(/^Plan is blocked: 1 guard needs acknowledgement /)
  expect(blocked.stdout).toContain('- { code: leaves-scope, type: eventModels, reason: … }')
  expect(blocked.code).toBe(3)
  expect(await run('apply --yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('leaves-scope:eventModels'),
  })

  // The line that the plan proposes, pasted.
  const line = 'acknowledge:\n  - { code: leaves-scope, type: eventModels, reason: The desk keeps them }\n'
  appendFileSync(join(cwd, 'models/holdfast.yaml'), line)
  expect(await run('plan --detailed-exitcode')).toMatchObject({ code: 2 })
  expect(await run('apply --yes')).toMatchObject({ code: 0 })

  const after = await run('plan --detailed-exitcode')
  expect(after.stdout).toMatch(/^No changes on \S+\. /)
  expect(after.stdout).toContain(
    'warning unused-acknowledgement: the acknowledgement of leaves-scope for eventModels stops nothing any more',
  )
  expect(after.code).toBe(0)
  const { eventModels } = (await platform.graphql('{ eventModels { totalCount } }')) as {
    eventModels: { totalCount: number }
  }
  expect(eventModels.totalCount).toBe(1)
})
