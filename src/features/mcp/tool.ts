/** Descriptions and calls of MCP tools. */
import type { Static, TObject } from 'typebox'
import { Check } from 'typebox/value'
import { explainFaults } from '../../base/errors/explain-faults.ts'
import { type Fault, findNulFaults } from '../../base/errors/fault.ts'
import type { SiteDocs } from './site-docs.ts'

export interface DocsToolContext {
  docs: SiteDocs
  /** URL prefix of the site's files, such as `https://docs.example.com/`. */
  base: string
  submitFeedback: SubmitFeedback | null
}

/** Resolves after the feedback is stored. Throws ToolFault that explains how to correct the call. */
export type SubmitFeedback = (entry: { path: string; feedback: string }) => Promise<{ id: string }>

export interface Tool {
  name: string
  title: string
  description: string
  inputSchema: TObject
  outputSchema?: object
  annotations: object
  /** Throws ToolFault. */
  call(context: DocsToolContext, args: unknown): Promise<ToolResult>
}

export interface ToolResult {
  text: string
  structured?: object
}

/** Thrown for a call that cannot be answered. The message explains to the model how to correct the call. */
export class ToolFault extends Error {
  override name = 'ToolFault'
}

const READ_ONLY = { readOnlyHint: true, openWorldHint: false }

/** `run` receives arguments that match the schema. */
export function defineTool<Input extends TObject>(
  tool: Omit<Tool, 'call' | 'inputSchema' | 'annotations'> & {
    input: Input
    annotations?: object
    run(context: DocsToolContext, args: Static<Input>): Promise<ToolResult>
  },
): Tool {
  const { input, run, annotations = READ_ONLY, ...about } = tool
  return {
    ...about,
    inputSchema: input,
    annotations,
    async call(context, args) {
      if (!Check(input, args)) throw toToolFault(explainFaults(input, args, 'arguments'))
      const nuls = findNulFaults(args)
      if (nuls.length > 0) throw toToolFault(nuls)
      return run(context, args)
    },
  }
}

function toToolFault(faults: readonly Fault[]): ToolFault {
  const sentences = faults.map(({ message }) => `${message}.`)
  return new ToolFault(sentences.join(' ') || 'The arguments do not match the input schema of this tool.')
}
