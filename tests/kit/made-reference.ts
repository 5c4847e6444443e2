/** Builds the API reference of a single operation from its description. */
import assert from 'node:assert/strict'
import type { JsonObject } from '../../src/openapi/api-json.ts'
import { buildReference } from '../../src/render/api/build-reference.ts'
import type { ApiBlock, ApiField, DescribedReference } from '../../src/render/api/reference.ts'
import { pickApiTexts } from '../../src/render/words/api-texts.ts'
import { uiText } from '../../src/render/words/ui-text.ts'
import { getDefaultValue } from '../../src/site/settings/schema-parts.ts'
import { SETTINGS_SCHEMA } from '../../src/site/settings/settings-schema.ts'

export async function referenceOf(
  operation: JsonObject,
  components: JsonObject = {},
): Promise<DescribedReference> {
  const root = { openapi: '3.1.0', paths: { '/things': { post: operation } }, components }
  const made = await buildReference({
    document: { kind: 'openapi', root, faults: [] },
    operation: {
      spec: 'a.json',
      method: 'POST',
      path: '/things',
      summary: null,
      description: null,
      tags: [],
    },
    settings: getDefaultValue(SETTINGS_SCHEMA).api,
    words: pickApiTexts(uiText('en')),
    shown: '',
  })
  assert.ok(made)
  return made
}

/** Returns all fields, each followed by its nested fields. */
export function fieldsIn(blocks: readonly ApiBlock[]): ApiField[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'fields') return block.fields.flatMap((field) => [field, ...fieldsIn(field.blocks)])
    return block.kind === 'choice' ? block.choices.flatMap((choice) => fieldsIn(choice.blocks)) : []
  })
}
