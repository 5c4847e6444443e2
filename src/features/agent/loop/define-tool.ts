/** Defines a tool by its schema: the model's input is validated before the tool runs. */
import type { Static, TObject } from 'typebox'
import { Check, Convert, Errors } from 'typebox/value'
import { parseToolInput } from '../../../model/tool-input.ts'
import { type Tool, type ToolBackend, type ToolContext, ToolRefusal } from './tool.ts'

interface ToolDefinition<Input extends TObject> {
  name: string
  /** Written for the model. */
  description: string
  input: Input
  run(context: ToolContext, input: Static<Input>): Promise<string>
}

export function defineTool<Input extends TObject>(definition: ToolDefinition<Input>): Tool {
  return {
    name: definition.name,
    description: definition.description,
    inputSchema: { ...(definition.input as object) },
    async run(context, input) {
      const { value, isConverted } = checkInput(definition, input)
      const text = await definition.run(context, value)
      return isConverted ? `${text}\n(Strings in the input were converted to numbers and lists.)` : text
    },
  }
}

/** A tool that the server runs itself. Offered only when the project has configured its resources. */
export interface ServerTool<Input extends TObject> extends Tool {
  backend: ToolBackend
  /** Throws ToolRefusal. */
  read(input: unknown): Static<Input>
}

export function serverTool<Input extends TObject>(
  definition: Omit<ToolDefinition<Input>, 'run'> & { backend: ToolBackend },
): ServerTool<Input> {
  const { name, description, input: schema, backend } = definition
  const run = async () => {
    throw new ToolRefusal(`${name} is not set up in this project. Continue without it.`)
  }
  return {
    name,
    description,
    inputSchema: { ...(schema as object) },
    backend,
    run,
    read: (input) => checkInput({ name, input: schema }, input).value,
  }
}

/** Throws ToolRefusal with all faults. A null field counts as omitted, because many models write it that way. */
function checkInput<Input extends TObject>(
  { name, input: schema }: Pick<ToolDefinition<Input>, 'name' | 'input'>,
  input: unknown,
): { value: Static<Input>; isConverted: boolean } {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    const fields = Object.keys(schema.properties).join(', ')
    throw new ToolRefusal(`The input of ${name} must be a JSON object with the fields ${fields}.`)
  }
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
  if (Check(schema, given)) return { value: given, isConverted: false }
  const converted: unknown = Convert(schema, withParsedLists(schema, given))
  if (Check(schema, converted)) return { value: converted as Static<Input>, isConverted: true }
  const faults = [...new Set(Errors(schema, given).map((fault) => describeFault(schema, fault)))].filter(
    Boolean,
  )
  throw new ToolRefusal(`The input of ${name} is invalid. ${faults.slice(0, 8).join(' ')}`)
}

function withParsedLists(schema: TObject, given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const { type } = (schema.properties[name] ?? {}) as { type?: unknown }
      if (typeof value !== 'string' || (type !== 'array' && type !== 'object')) return [name, value]
      const { input } = parseToolInput(value)
      return [name, typeof input === 'object' ? input : value]
    }),
  )
}

interface Fault {
  keyword: string
  instancePath: string
  message: string
  params: object
}

function describeFault(schema: TObject, fault: Fault): string {
  const fieldName = fault.instancePath === '' ? 'The input' : fault.instancePath.slice(1).replaceAll('/', '.')
  const { requiredProperties, additionalProperties, allowedValues } = fault.params as Record<string, unknown>
  // The fault of the enclosing object already reports this one.
  if (fault.keyword === 'boolean') return ''
  if (fault.keyword === 'required') return `${fieldName} must have ${joinNames(requiredProperties)}.`
  if (fault.keyword === 'additionalProperties') {
    const known = Object.keys(schema.properties).join(', ')
    return `${fieldName} must not have ${joinNames(additionalProperties)}. The tool accepts ${known}.`
  }
  if (fault.keyword === 'enum') return `${fieldName} must be one of ${joinNames(allowedValues)}.`
  return `${fieldName} ${fault.message}.`
}

function joinNames(names: unknown): string {
  const list = Array.isArray(names) ? names.map(String) : []
  return list.map((name) => name.slice(0, 60)).join(', ')
}
