import { expect, it } from 'vitest'
import { createRecord } from '../../src/platform/records/change-record.ts'
import { ACCESS } from '../../src/records/record-type.ts'
import { OPERATOR } from '../support/console-server.ts'
import { consoleVisitor } from '../support/console-visitor.ts'
import { server, useConsole } from '../support/one-console.ts'

const ZOE = 'zoe@plant.example'

useConsole()

it('shows the role of a user whose address is the end of 200 other addresses', async () => {
  const others = Array.from({ length: 201 }, (_, at) => `a${at}-${ZOE}`)
  for (const email of [...others, ZOE]) await createRecord(server.context, 'users', { email }, [])
  for (const user of [...others, ZOE]) await createRecord(server.context, ACCESS, { role: 'viewer', user }, [])
  const operator = await consoleVisitor(server, OPERATOR)
  const { text } = await operator.get(`/users/${ZOE}`)
  expect(text).toContain('Roles of their own')
  expect(text.match(/ask-take-grant/g)).toHaveLength(1)
})
