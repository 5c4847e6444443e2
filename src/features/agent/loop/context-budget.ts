/** Computes how much of a model's context each request may use. */
import type { ToolDescription } from '../../../model/model.ts'
import { listOfferedTools, type ToolResources } from './toolbox.ts'

/** Estimate for prose and code; scripts without spaces have more bytes per token, not fewer. */
const BYTES_PER_TOKEN = 3
const MAX_OUTPUT_TOKENS = 16_000
/** Minimum share of the context for the conversation, however long the instructions are. */
const MIN_SHARE = 0.25

export function describeTools(resources: ToolResources): readonly ToolDescription[] {
  const descriptions = listOfferedTools(resources).map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }))
  return resources.code
    ? descriptions
    : descriptions.map((tool) => (tool.name === 'finish' ? withoutReferences(tool) : tool))
}

/** Removes the field `references` from the tool `finish`: without code, references cannot be verified. */
function withoutReferences(tool: ToolDescription): ToolDescription {
  const { properties, ...schema } = tool.inputSchema as { properties: Record<string, unknown> }
  const { references: _, ...others } = properties
  return { ...tool, inputSchema: { ...schema, properties: others } }
}

export interface Room {
  maxOutputTokens: number
  bytes: number
}

export function computeRoom(contextTokens: number, system: string, tools: readonly ToolDescription[]): Room {
  const maxOutputTokens = Math.min(MAX_OUTPUT_TOKENS, Math.floor(contextTokens / 4))
  const fixed = (Buffer.byteLength(system) + Buffer.byteLength(JSON.stringify(tools))) / BYTES_PER_TOKEN
  const tokens = Math.max(contextTokens * MIN_SHARE, contextTokens - maxOutputTokens - fixed)
  return { maxOutputTokens, bytes: Math.floor(tokens * BYTES_PER_TOKEN) }
}
