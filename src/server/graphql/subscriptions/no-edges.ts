import { GraphQLError, OperationTypeNode } from 'graphql'
import type { ASTVisitor, FieldNode, FragmentDefinitionNode, OperationDefinitionNode, ValidationContext } from 'graphql'

type Definition = OperationDefinitionNode | FragmentDefinitionNode

/**
 * A rule: subscriptions have no edges. An open stream is checked for the right of its own field only, and each message
 * would need statements of its own.
 */
export function noEdgesInSubscriptions(context: ValidationContext): ASTVisitor {
  const edges = new Map<Definition, FieldNode[]>()
  let found: FieldNode[] = []
  const begin = (definition: Definition) => {
    found = []
    edges.set(definition, found)
  }
  return {
    OperationDefinition: begin,
    FragmentDefinition: begin,
    Field(node) {
      if (context.getFieldDef()?.extensions['edge'] !== undefined) found.push(node)
    },
    Document: {
      leave({ definitions }) {
        for (const definition of definitions) {
          if (!isSubscription(definition)) continue
          const used = [definition, ...context.getRecursivelyReferencedFragments(definition)]
          for (const node of used.flatMap((one) => edges.get(one) ?? [])) context.reportError(refusal(node))
        }
      },
    },
  }
}

function isSubscription(definition: object): definition is OperationDefinitionNode {
  return 'operation' in definition && definition.operation === OperationTypeNode.SUBSCRIPTION
}

function refusal(node: FieldNode): GraphQLError {
  const message = `a subscription does not follow the edge ${node.name.value}; ask for it in a query, by the uuid in the message`
  return new GraphQLError(message, { nodes: node })
}
