import { randomUUID } from 'node:crypto'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { createSystemCredential } from '../../../src/platform/systems/credentials.ts'
import { applyAll } from '../../support/domain.ts'
import type { TestServer } from '../test-server.ts'

// A domain in which every edge of the graph leads somewhere, from so many objects of each type.

const numbers = (many: number) => Array.from({ length: many }, (_, index) => index + 1)

export const ISSUER = 'https://provider.example'

function modelOf(many: number) {
  const each = numbers(many)
  return {
    characteristics: each.flatMap((one) => [
      { code: `value-${one}`, name: `Value ${one}`, characteristicType: 'MEASUREMENT', dataType: 'FLOAT' },
      { code: `target-${one}`, name: `Target ${one}`, characteristicType: 'SETTING', dataType: 'FLOAT' },
    ]),
    services: each.map((one) => ({
      code: `service-${one}`,
      name: `Service ${one}`,
      characteristics: [{ code: `value-${one}` }, { code: `target-${one}` }],
    })),
    componentModels: each.map((one) => ({
      code: `model-${one}`,
      name: `Model ${one}`,
      componentType: 'DEVICE',
      services: [{ code: `service-${one}` }],
    })),
    eventModels: each.map((one) => ({
      code: `alarm-${one}`,
      eventType: 'RANGED',
      entityType: 'COMPONENT',
      eventLevel: 'ERROR',
    })),
    organizations: each.map((one) => ({
      name: `Company ${one}`,
      alias: `company-${one}`,
      organizationUnits: [{ name: `East ${one}`, alias: 'east' }],
    })),
    users: each.map((one) => ({ email: `user-${one}@example.org`, organization: { alias: `company-${one}` } })),
    machineUsers: each.map((one) => ({ username: `machine-${one}`, password: randomUUID() })),
  }
}

/** Makes the objects in the domain of a server. */
export async function makeGraph(server: TestServer, context: DomainContext, many: number): Promise<void> {
  await applyAll(context, modelOf(many))
  for (const one of numbers(many)) {
    const sources = (last: number) => ({ dataSources: numbers(last).map((code) => ({ code: `source-${code}` })) })
    const { uuid } = await applyAll(context, sources(one))
    await applyAll(context, sources(one - 1), undefined, { rollbackOf: uuid })
    await applyAll(context, sources(one))
    await makeSystem(server, context, one)
  }
  await makeMethods(server, many)
}

async function makeSystem(server: TestServer, context: DomainContext, one: number): Promise<void> {
  const [system, component] = [randomUUID(), randomUUID()]
  await server.data(`mutation {
    createSystem(input: { uuid: "${system}", name: "System ${one}", organizationUnit: "company-${one}" }) { uuid }
    createComponent(input: { uuid: "${component}", system: "${system}", componentModel: "model-${one}", name: "Component ${one}" }) { uuid }
    createEvent(input: { eventModel: "alarm-${one}", component: "${component}" }) { uuid }
    setSetpoints(components: [{ component: "${component}", service: "service-${one}", characteristic: "target-${one}", value: 1 }]) { uuid }
    setRetention(characteristic: "value-${one}", keep: "P10Y") { datapoints }
    byUser: createGrant(input: { role: VIEWER, user: "user-${one}@example.org", within: "company-${one}" }) { uuid }
    byMachine: createGrant(input: { role: VIEWER, machineUser: "machine-${one}" }) { uuid }
    within: createGrant(input: { role: OPERATOR, machineUser: "machine-${one}", within: "company-${one}" }) { uuid }
    createPasswordLink(email: "user-${one}@example.org") { expiresAt }
    byOrganization: createGrant(input: { role: VIEWER, organization: "company-${one}" }) { uuid }
  }`)
  await createSystemCredential(context, system)
  const supported = await server.data<{
    component: { supports: { serviceUuid: string; characteristicUuid: string; characteristic: string }[] }
  }>(`{ component(uuid: "${component}") { supports { serviceUuid characteristicUuid characteristic } } }`)
  const pair = supported.component.supports.find(({ characteristic }) => characteristic.startsWith('value'))
  const [service, characteristic] = [pair?.serviceUuid ?? '', pair?.characteristicUuid ?? '']
  const names = {
    system_uuid: system,
    component_uuid: component,
    service_uuid: service,
    characteristic_uuid: characteristic,
  }
  const body = JSON.stringify([{ ...names, value: one }])
  await server.call({ path: '/rest/v1/data-points/add', headers: { 'content-type': 'application/json' }, body })
  await server.database.statement(
    `insert into refused_datapoints (domain_id, uuid, code, system_uuid, component_uuid, service_uuid,
       characteristic_uuid, sender, is_rest, count, first_at, last_at)
     values ($1, $2::uuid, 'out-of-bounds', $3::uuid, $4::uuid, $5::uuid, $6::uuid, 'sender', false, 1, now(), now())`,
    [context.domain.id, randomUUID(), system, component, service, characteristic],
  )
}

/** One method with so many rules, and so many with an identity. */
async function makeMethods(server: TestServer, many: number): Promise<void> {
  const [domain] = server.domains
  const rules = numbers(many).map((one) => ({
    name: `rule ${one}`,
    claims: { sub: String(one) },
    machineUser: `machine-${one}`,
    scopes: ['data:read'],
  }))
  const github = {
    repositoryId: '1',
    repositoryOwnerId: '2',
    environment: 'production',
    planMachineUser: 'machine-1',
    applyMachineUser: 'machine-1',
  }
  const create = `mutation ($configuration: OpenIdDelegatedConfigurationInput!) {
    createOpenIdDelegatedAuthenticationMethod(status: ACTIVATED, configuration: $configuration) { uuid } }`
  for (const one of numbers(many)) {
    const made = await server.data<{ createOpenIdDelegatedAuthenticationMethod: { uuid: string } }>(create, {
      configuration: { clientId: `client-${one}`, issuer: `${ISSUER}/${one}`, rules },
    })
    const { uuid } = made.createOpenIdDelegatedAuthenticationMethod
    await server.database.statement(
      `insert into external_identities (domain_id, issuer, subject, uuid, method_uuid, created_at, last_seen_at)
       values ($1, $2, $3, $4::uuid, $5::uuid, now(), now())`,
      [domain?.id ?? 0, `${ISSUER}/${one}`, `subject-${one}`, randomUUID(), uuid],
    )
  }
  const issuer = 'https://token.actions.githubusercontent.com'
  await server.data(create, { configuration: { clientId: 'jobs', issuer, githubActions: github } })
}
