import { GraphQLID, GraphQLString } from 'graphql'
import { completeRules, rulesOf } from '../../../auth/method-configuration.ts'
import { callbackOf } from '../../../platform/access/methods/callback.ts'
import { adviceOnMethod } from '../../../platform/access/methods/method-advice.ts'
import { isForPeople } from '../../../platform/access/methods/method.ts'
import {
  createDelegatedMethod,
  deleteMethod,
  listMethods,
  requireRules,
  updateMethod,
  type AuthenticationMethod,
} from '../../../platform/access/methods/methods.ts'
import { AUTHENTICATION_METHOD } from '../../../records/entities.ts'
import type { EntityOf } from '../../../records/entity.ts'
import { checkUuid } from '../../checked-arguments.ts'
import { nodeType } from '../entities.ts'
import { partInput, partPatch, STATUS } from '../field-types.ts'
import { operation, type OperationFields } from '../operation.ts'
import { list, nonNull, optional, required } from '../typed.ts'

// The methods by which people and programs sign in. A person who may change them could get every other right, too.

const METHOD = nodeType(AUTHENTICATION_METHOD, {
  find: async ({ context }, uuids) => shownAll(await listMethods(context)).filter(({ uuid }) => uuids.includes(uuid)),
})
const CONFIGURATION = 'OpenIdDelegatedConfiguration'

function shownAll(methods: readonly AuthenticationMethod[]): EntityOf<'DomainAuthenticationMethod'>[] {
  return methods.map((method) => shownMethod(method, methods))
}

/** Returns a method in the form of an answer. */
export function shownMethod(
  method: AuthenticationMethod,
  methods: readonly AuthenticationMethod[],
): EntityOf<'DomainAuthenticationMethod'> {
  if (method.kind === 'internal') return { ...method, callbackPath: null, advice: null, configuration: null }
  const { configuration, hasClientSecret, sharesCallback: _, ...common } = method
  return {
    ...common,
    callbackPath: isForPeople(method) ? callbackOf(method, methods) : null,
    advice: adviceOnMethod(method, methods),
    configuration: { ...configuration, hasClientSecret, effectiveRules: rulesOf(configuration) },
  }
}

export const METHOD_QUERIES: OperationFields = {
  authenticationMethods: operation({
    right: AUTHENTICATION_METHOD.rights.read,
    type: nonNull(list(METHOD)),
    description:
      'The authentication methods of the domain: the internal one, then the others in the order of their creation.',
    resolve: async ({ context }) => shownAll(await listMethods(context)),
  }),
}

export const METHOD_MUTATIONS: OperationFields = {
  // The specification (section 4) defines the name and arguments of this mutation, and two of its result's fields.
  createOpenIdDelegatedAuthenticationMethod: operation({
    right: AUTHENTICATION_METHOD.rights.write,
    erasesOthers: true,
    type: nonNull(METHOD),
    description:
      'Trusts another OpenID provider to identify people. People that only the provider knows can sign in, without rights until a grant; see emailDomains and rules.',
    args: {
      status: { ...optional(STATUS, 'ACTIVATED to activate it.'), defaultValue: 'ACTIVATED' },
      name: optional(GraphQLString, "Name on the login page. Left out: the issuer's host."),
      configuration: required(partInput(CONFIGURATION), 'The provider, and the extent of trust.'),
    },
    async resolve({ context, noteAccessChange }, { status, ...method }) {
      const created = await createDelegatedMethod(context, { ...method, status: status ?? 'ACTIVATED' })
      noteAccessChange('method created', { target: created.uuid })
      return shownMethod(created, await listMethods(context))
    },
  }),
  updateAuthenticationMethod: operation({
    right: AUTHENTICATION_METHOD.rights.write,
    type: nonNull(METHOD),
    description:
      'Changes an authentication method. A new status takes effect on the next request. A new configuration ends the sessions and tokens of the old one.',
    args: {
      uuid: required(GraphQLID, 'The uuid of the method.'),
      status: optional(STATUS, 'The new status.'),
      name: optional(GraphQLString, 'The new name.'),
      configuration: optional(partPatch(CONFIGURATION), 'Changes to the configuration.'),
      rulesBefore: optional(
        list(partInput('FederationRule')),
        'The rules that you have read. If there are others now, nothing changes, and the error is a CONFLICT.',
      ),
    },
    async resolve({ context, noteAccessChange }, { uuid, rulesBefore, ...patch }) {
      const changed = await updateMethod(context, checkUuid(uuid, 'uuid'), patch, (before) => {
        if (rulesBefore) requireRules(before, completeRules(rulesBefore))
      })
      noteAccessChange('method changed', { target: changed.uuid })
      return shownMethod(changed, await listMethods(context))
    },
  }),
  deleteAuthenticationMethod: operation({
    right: AUTHENTICATION_METHOD.rights.write,
    type: nonNull(METHOD),
    description: 'Deletes an authentication method, ends its sessions and tokens, and returns it.',
    args: { uuid: required(GraphQLID, 'The uuid of the method.') },
    async resolve({ context, noteAccessChange }, { uuid }) {
      const deleted = await deleteMethod(context, checkUuid(uuid, 'uuid'))
      noteAccessChange('method deleted', { target: deleted.uuid })
      return shownMethod(deleted, await listMethods(context))
    },
  }),
}
