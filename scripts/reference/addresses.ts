/** The addresses of operations, for callers that do not take the schemas along. */
import { join } from 'node:path'
import { DASHBOARD_OPERATIONS } from '../../src/contract/dashboard-operations.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { OPERATIONS } from '../../src/contract/operations.ts'

export const ADDRESSES_FILE = join(import.meta.dirname, '..', '..', 'src', 'contract', 'addresses.ts')

export function describeAddresses(): string {
  return `/** Made from the tables of operations by \`npm run reference\`: what callers need of them without the schemas. */
${table('ADDRESSES', OPERATIONS)}
${table('DASHBOARD_ADDRESSES', DASHBOARD_OPERATIONS)}`
}

function table(name: string, operations: Readonly<Record<string, Operation>>): string {
  const rows = Object.entries(operations).map(([id, { method, path }]) => `  ${id}: '${method} ${path}',\n`)
  return `export const ${name} = {\n${rows.join('')}} as const\n`
}
