import { GraphQLID } from 'graphql'
import { missingRight, requireRight } from '../../../auth/require-right.ts'
import { definitionOf } from '../../../platform/objects/definition-of.ts'
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
      'The record, entity or apply with this uuid; null if there is none that you may see, by the right of the field of Query that shows such objects.',
    args: { uuid: required(GraphQLID, 'The uuid of the object.') },
    extensions: { right: RIGHT, keepsWithin: true },
    async resolve(_, given, { caller, callFor }, { fieldName }) {
      requireRight(fieldName, RIGHT, caller, true)
      const uuid = checkUuid(String(given['uuid']), 'uuid')
      const definition = await definitionOf(callFor(RIGHT).context, uuid)
      if (definition === null) return null
      const { type, right, keepsWithin, find } = kindNamed(definition)
      // An error would tell that the object exists.
      if (missingRight(fieldName, right, caller, keepsWithin) !== null) return null
      const found = (await find(callFor(right), 'uuid', [uuid])).get(uuid)
      return found === undefined ? null : { ...found, __typename: type.name }
    },
  },
}
