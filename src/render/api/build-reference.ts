/** Builds the content of the page for an operation, channel or data model. */
import { asObject, asText, type JsonObject } from '../../openapi/api-json.ts'
import { splitDescription, withoutComments } from '../../openapi/description.ts'
import { createExample } from '../../openapi/example-value.ts'
import { flatten } from '../../openapi/schema.ts'
import type { ApiOperation } from '../../site/model.ts'
import type { ApiDocument } from '../../site/reference/spec-document.ts'
import type { SiteConfig } from '../../site/settings/config.ts'
import type { ApiTexts } from '../words/api-texts.ts'
import { channelReference, findChannel } from './channel.ts'
import { formatJson } from './facts.ts'
import { anchorPath, claimId, claimOtherIds, createFieldScope, type FieldScope } from './field-scope.ts'
import { getDescription, variantBlocks } from './fields.ts'
import { findOperation, operationReference, panel, prose } from './operation.ts'
import { type DescribedReference, LIMITS, type ReferenceParts } from './reference.ts'

export interface ReferenceInput {
  document: ApiDocument
  operation: ApiOperation
  settings: SiteConfig['api']
  words: ApiTexts
  /** Text from the description that the page shows below its title. */
  shown: string
}

/** Returns null if the entry does not exist. The result depends only on the input. */
export async function buildReference(input: ReferenceInput): Promise<DescribedReference | null> {
  const { document, settings, words } = input
  for (const depth of LIMITS.depths) {
    const isLast = depth === LIMITS.depths.at(-1)
    const most = isLast ? LIMITS.fields : LIMITS.manyFields
    const scope = createFieldScope(document.root, settings, words, { depth, fieldsLeft: most })
    const built = buildByKind(scope, input)
    if (built === null) return null
    const isCut = scope.fieldsLeft < 0
    if (isCut && !isLast) continue
    claimOtherIds(scope)
    const blocks = isCut ? [...built.blocks, ...prose(words.apiMore)] : built.blocks
    return { words, blocks, ...(await built.panels()) }
  }
  return null
}

function buildByKind(scope: FieldScope, { operation, shown }: ReferenceInput): ReferenceParts | null {
  const introduction = removeShownPart(operation.description ?? '', shown)
  if (operation.method === 'SCHEMA') return buildSchemaReference(scope, operation.path, shown)
  if (operation.method === 'CHANNEL') {
    const channel = findChannel(scope.root, operation.path)
    return channel && channelReference(scope, channel, introduction)
  }
  const found = findOperation(scope.root, operation)
  return found && operationReference(scope, operation, found, introduction)
}

function removeShownPart(description: string, shown: string): string {
  const { subtitle, rest } = splitDescription(description)
  return subtitle === shown ? rest : withoutComments(description.trim())
}

function buildSchemaReference(scope: FieldScope, name: string, shown: string): ReferenceParts | null {
  const { words, root } = scope
  const schemas = asObject(asObject(root.components).schemas)
  if (!Object.hasOwn(schemas, name)) return null
  const flat = flatten(scope, schemas[name])
  const id = claimId(scope, 'fields')
  const about = getDescription(flat.schema, flat.schema)
  const blocks = variantBlocks(scope, withoutDescription(flat), { path: anchorPath(''), id, name, chain: [] })
  return {
    blocks: [
      ...prose(removeShownPart(about, shown)),
      { kind: 'heading', level: 2, text: words.apiModel, id, note: '' },
      ...blocks,
    ],
    panels: () => {
      const value = createExample(scope, schemas[name], { direction: 'response', isRequiredOnly: false })
      const code = formatJson(value, 2)
      const sample = { title: words.apiExample, name: '', description: '', language: 'json' }
      const samples = code === null ? [] : [{ ...sample, code }]
      const title = asText(flat.schema.title) ?? name
      return { request: null, bodies: panel(title, words.apiExample, samples), responses: null }
    },
  }
}

/** Removes the description, which is shown above the fields. */
function withoutDescription(flat: ReturnType<typeof flatten>): ReturnType<typeof flatten> {
  const { description: _, externalDocs: __, ...schema } = flat.schema as JsonObject
  return { ...flat, schema }
}
