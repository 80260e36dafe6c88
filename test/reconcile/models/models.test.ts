import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { platform, usePlatform } from '../../end-to-end/real-platform.ts'
import { characteristic } from '../sample.ts'
import { holdfast } from '../run-command.ts'
import { workspace } from '../workspace.ts'

usePlatform()

const ACKNOWLEDGED = JSON.stringify({
  acknowledge: ['characteristics', 'characteristicServiceLinks', 'services'].map((type) => ({
    code: 'leaves-scope',
    type,
    reason: 'Not ours',
  })),
})

const run = (line: string, cwd: string) => holdfast(line, { cwd, parts: platform.parts })

it('export --managed has what the models describe, which is enough to plan them, and nobody’s address', async () => {
  const everything = {
    characteristics: [characteristic('c')],
    services: [{ code: 's', name: 'S', characteristics: [{ code: 'c' }] }],
    organizations: [{ name: 'Acme', alias: 'acme' }],
    users: [{ email: 'ada@example.org', organization: { alias: 'acme' } }],
  }
  const all = workspace({ 'models/a.json': JSON.stringify(everything) })
  expect(await run('apply --yes', all)).toMatchObject({ code: 0 })

  const { services } = everything
  const cwd = workspace({ 'models/a.json': JSON.stringify({ services }) })
  const { code, stdout } = await run('export --managed', cwd)
  expect({ code, types: [...stdout.matchAll(/^(\w+):/gm)].map(([, type]) => type) }).toEqual({
    code: 0,
    types: ['characteristicServiceLinks', 'services'],
  })

  writeFileSync(join(cwd, 'export.yaml'), stdout)
  const changed = readFileSync(join(cwd, 'models/a.json'), 'utf8').replace('"S"', '"Other"')
  writeFileSync(join(cwd, 'models/a.json'), changed)
  const planned = await run('plan --against export.yaml --detailed-exitcode', cwd)
  expect(planned.stdout).toMatch(/^Plan: 1 to update/)
  expect(planned.code).toBe(2)
})

it('export --managed tells nothing that the models do not name: records, units, fields, metadata', async () => {
  const secret = {
    organizations: [
      {
        name: 'Acme',
        alias: 'acme',
        organizationUnits: [{ name: 'North', directChildren: [{ name: 'Secret customer' }] }, { name: 'Secret site' }],
        metadataKeyValueStore: [
          { key: 'region', value: 'eu' },
          { key: 'contract', value: 'secret' },
        ],
      },
      { name: 'Secret company' },
    ],
    users: [{ email: 'ada@example.org', name: 'Ada', metadataKeyValueStore: [{ key: 'phone', value: 'secret' }] }],
  }
  const all = workspace({ 'models/a.json': JSON.stringify(secret), 'models/holdfast.yaml': ACKNOWLEDGED })
  expect(await run('apply --yes', all)).toMatchObject({ code: 0 })

  const named = {
    organizations: [
      {
        name: 'Acme',
        alias: 'acme',
        organizationUnits: [{ name: 'North', directChildren: [] }],
        metadataKeyValueStore: [{ key: 'region', value: 'us' }],
      },
    ],
    users: [{ email: 'ADA@example.org', name: 'Ada' }],
  }
  const cwd = workspace({ 'models/a.json': JSON.stringify(named) })
  const { code, stdout } = await run('export --managed --format json', cwd)
  expect({ code, exported: JSON.parse(stdout) as unknown }).toEqual({
    code: 0,
    exported: {
      organizations: [
        { ...named.organizations[0], metadataKeyValueStore: [{ key: 'region', value: { string: 'eu' } }] },
      ],
      users: [{ email: 'ada@example.org', name: 'Ada' }],
    },
  })
})
