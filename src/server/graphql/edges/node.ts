import { GraphQLID } from 'graphql'
import { missingRight, requireRight } from '../../../auth/require-right.ts'
import { definitionsOf } from '../../../platform/objects/definitions-of.ts'
import { checkUuid } from '../../checked-arguments.ts'
import type { OperationFields } from '../operation.ts'
import { required } from '../typed.ts'
import { kindNamed, NODE } from './kinds.ts'

const RIGHT = 'domain:read'

/** Finds any object by its uuid. */
export const NODE_QUERIES: OperationFields = {
  node: {
    type: NODE,
    description:
      'The record, entity or apply with this uuid; null if it does not exist or you may not see it. You need the right of the field of Query that shows such objects.',
    args: { uuid: required(GraphQLID, 'The uuid of the object.') },
    extensions: { right: RIGHT, keepsWithin: true },
    async resolve(_, given, { caller, callFor }, { fieldName }) {
      requireRight(fieldName, RIGHT, caller, true)
      const uuid = checkUuid(String(given['uuid']), 'uuid')
      for (const definition of await definitionsOf(callFor(RIGHT).context, uuid)) {
        const { type, right, keepsWithin, find } = kindNamed(definition)
        // An error would tell that the object exists.
        if (missingRight(fieldName, right, caller, keepsWithin) !== null) continue
        const found = (await find(callFor(right), 'uuid', [uuid])).get(uuid)
        if (found !== undefined) return { ...found, __typename: type.name }
      }
      return null
    },
  },
}
