import { lexicographicSortSchema, printSchema } from 'graphql'
import { SCHEMA } from '../server/graphql/schema.ts'
import type { Emitter } from './emitter.ts'

export const graphqlSchema: Emitter = { path: 'generated/schema.graphql', emit }

const BANNER = '# Generated from src/server/graphql/ by "npm run types". Do not edit.'

async function emit(): Promise<string> {
  return `${BANNER}\n\n${printSchema(lexicographicSortSchema(SCHEMA))}\n`
}
