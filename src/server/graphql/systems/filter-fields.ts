import { GraphQLString } from 'graphql'
import { STATUS } from '../field-types.ts'
import { list, optional } from '../typed.ts'

// What systems and components alike can be chosen by.

export const STATUS_FILTER = optional(list(STATUS), 'Only those with one of these statuses.')
export const SEARCH = optional(GraphQLString, 'Only those that have this text in their name, in any case.')
