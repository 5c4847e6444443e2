/** Generates the table of API paths, for callers that do not load the schemas. */
import { join } from 'node:path'
import type { Operation } from '../../src/base/api/operation.ts'
import { DASHBOARD_OPERATIONS } from '../../src/features/dashboard-operations.ts'
import { OPERATIONS } from '../../src/features/operations.ts'

const FEATURES = join(import.meta.dirname, '..', '..', 'src', 'features')

/** Returns the contents of the generated files by path. One table per API, so that programs load only one. */
export function describeAddresses(): ReadonlyMap<string, string> {
  return new Map([
    [join(FEATURES, 'addresses.ts'), table('ADDRESSES', OPERATIONS)],
    [join(FEATURES, 'dashboard-addresses.ts'), table('DASHBOARD_ADDRESSES', DASHBOARD_OPERATIONS)],
  ])
}

function table(name: string, operations: Readonly<Record<string, Operation>>): string {
  const rows = Object.entries(operations).map(([id, { method, path }]) => `  ${id}: '${method} ${path}',\n`)
  return `/**
 * Generated from the table of operations by \`npm run reference\`: the parts that callers need, without the schemas.
 */
export const ${name} = {\n${rows.join('')}} as const\n`
}
