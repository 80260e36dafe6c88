import {
  getNullableType,
  GraphQLNonNull,
  GraphQLString,
  isNonNullType,
  Kind,
  specifiedRules,
  TypeInfo,
  ValidationContext,
  VariablesInAllowedPositionRule,
  type GraphQLInputType,
  type OperationDefinitionNode,
  type TypeNode,
  type ValidationRule,
} from 'graphql'
import { DATE_TIME, DURATION } from '../scalars.ts'

// Times and durations in inputs were String in earlier versions. So the queries of older clients declare String variables
// for them, which the validation of GraphQL would reject. The values are texts either way, and the platform reads them.

/** The rules of GraphQL, which also accept a String variable for a time or a duration. */
export const RULES: readonly ValidationRule[] = specifiedRules.map((rule) =>
  rule === VariablesInAllowedPositionRule ? textsAreAllowed : rule,
)

function textsAreAllowed(context: ValidationContext) {
  const schema = context.getSchema()
  const report = context.reportError.bind(context)
  const lenient = new WithTexts(schema, context.getDocument(), new TypeInfo(schema), report)
  return VariablesInAllowedPositionRule(lenient)
}

class WithTexts extends ValidationContext {
  /** Shows the rule String as the type of a place for a time or a duration, if the variable is a String. */
  override getRecursiveVariableUsages(operation: OperationDefinitionNode) {
    const { variableDefinitions = [] } = operation
    const texts = new Set(
      variableDefinitions.filter(({ type }) => isText(type)).map(({ variable }) => variable.name.value),
    )
    return super
      .getRecursiveVariableUsages(operation)
      .map((usage) => (texts.has(usage.node.name.value) ? { ...usage, type: asText(usage.type) } : usage))
  }
}

function isText(type: TypeNode): boolean {
  const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type
  return named.kind === Kind.NAMED_TYPE && named.name.value === GraphQLString.name
}

function asText<Type extends GraphQLInputType | null | undefined | void>(type: Type) {
  const named = type == null ? type : getNullableType(type)
  if (named !== DATE_TIME && named !== DURATION) return type
  return isNonNullType(type) ? new GraphQLNonNull(GraphQLString) : GraphQLString
}
