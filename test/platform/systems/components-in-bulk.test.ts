import { beforeEach, describe, expect, it } from 'vitest'
import type { NewComponent } from '../../../generated/entities.ts'
import type { HoldfastError } from '../../../src/lib/errors.ts'
import { createComponents, listComponents } from '../../../src/platform/systems/components.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { applyAll } from '../../support/domain.ts'
import { oneDomain } from '../one-domain.ts'
import { ANYBODY, makeComponent, makeSystem, MODEL } from './site.ts'

const other = (uuid: string) =>
  `the component ${uuid} is stored with another componentModel ("heat-pump"), name ("Pump"), metadata "serial" ("A-1"); change it by updateComponent, or choose another uuid`

const serial = (value: string) => ({ metadataKeyValueStore: [{ key: 'serial', value }] })

describe.each(SAMPLED_DATABASES)('components in bulk on $name', (kind) => {
  const domain = oneDomain(kind)
  beforeEach(() => applyAll(domain(), MODEL))

  it('are told all that is wrong with its place, and a single one with its field alone', async () => {
    const { uuid: system } = await makeSystem(domain())
    const [uuid, taken] = [crypto.randomUUID(), crypto.randomUUID()]
    await makeComponent(domain(), system, { uuid: taken, ...serial('A-1') })
    const component = { system, componentModel: 'sensor', name: 'Sensor' }
    const refusal = async (...inputs: Partial<NewComponent>[]) => {
      const made = createComponents(
        domain(),
        EVERYWHERE,
        inputs.map((input) => ({ ...component, ...input })),
      )
      return made.catch((error: unknown) => error as HoldfastError)
    }
    const twice = {
      metadataKeyValueStore: [...serial('A-2').metadataKeyValueStore, ...serial('A-2').metadataKeyValueStore],
    }
    const mistakes = await refusal({}, { name: ' ', uuid: 'abc' }, { componentModel: 'nix' }, twice, { system: uuid })
    expect(mistakes).toMatchObject({
      code: 'BAD_USER_INPUT',
      message: '5 mistakes, and nothing was created. /input/1/uuid: uuid must be a UUID, not "abc"',
      details: [
        { pointer: '/input/1/uuid', code: 'BAD_USER_INPUT', detail: 'uuid must be a UUID, not "abc"' },
        { pointer: '/input/1/name', code: 'BAD_USER_INPUT', detail: 'the name must not be empty' },
        { pointer: '/input/2/componentModel', code: 'NOT_FOUND', detail: 'there is no ComponentModel "nix"' },
        { pointer: '/input/3/metadataKeyValueStore', detail: 'metadata "serial": it is given twice; keep one' },
        { pointer: '/input/4/system', code: 'NOT_FOUND', detail: `there is no system ${uuid}` },
      ],
    })
    expect(await refusal({ uuid }, {}, { uuid })).toMatchObject({
      code: 'CONFLICT',
      message: `nothing was created. /input/2/uuid: /input/0 and /input/2 have the same uuid ${uuid}`,
    })
    expect(await refusal({}, serial('A-2'), serial('A-2'))).toMatchObject({
      message: expect.stringContaining(
        '/input/1 and /input/2 have the same value "A-2" of metadata "serial"',
      ) as string,
    })
    expect(await refusal({}, { uuid: taken })).toMatchObject({
      message: `nothing was created. /input/1/uuid: ${other(taken)}`,
    })
    expect(await refusal({}, serial('A-1'))).toMatchObject({
      message: expect.stringMatching(
        /^nothing was created. .input.1.metadataKeyValueStore: .*is already used/,
      ) as string,
    })
    expect(await refusal({ uuid: taken })).toMatchObject({
      message: other(taken),
      details: [{ pointer: '/input/uuid', code: 'CONFLICT', detail: other(taken) }],
    })
    expect(await refusal({ componentModel: 'nix' })).toMatchObject({ message: 'there is no ComponentModel "nix"' })
    expect((await listComponents(domain(), ANYBODY, {}, { first: 9, after: null })).total).toBe(1)
  })
})
