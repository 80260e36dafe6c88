import { it } from 'vitest'
import { POSTGRES } from '../../support/databases.ts'
import { startTestServer } from '../test-server.ts'
import { makeTwoOrganizations } from '../../support/two-organizations.ts'

it('smoke', async () => {
  const server = await startTestServer(await POSTGRES.openMigrated())
  const [access] = server.access
  if (access === undefined) throw new Error('x')
  await makeTwoOrganizations({ ...access, actorName: 'tester' }, server.datapoints)
  const answer = await server.graphql(`{
    systems { nodes { name organizationUnitRecord { name parent { name organizationUnits(first: 1) { totalCount nodes { name } pageInfo { hasNextPage endCursor } } users { nodes { email } } systems { totalCount } } }
      components { totalCount nodes { name componentModelRecord { code services { nodes { code characteristics { totalCount nodes { code } } } } } supports { service serviceRecord { name } } latest { value characteristicRecord { code } } system { name } } }
      events(first: 1) { nodes { message eventModelRecord { code } component { name } } pageInfo { hasNextPage } } setpoints { nodes { value serviceRecord { code } } }
      systemCredentials { nodes { username } } refusedDatapoints { nodes { code } }
    } } applies { totalCount nodes { uuid rollbackOfApply { uuid } } } grants { nodes { key userRecord { email } } } }`)
  console.log(JSON.stringify(answer, null, 1))
  const uuid = (answer.data as any).applies.nodes[0].uuid
  console.log(JSON.stringify(await server.graphql(`{ node(uuid: "${uuid}") { uuid __typename ... on Apply { actor } } }`)))
  await server.close()
})
