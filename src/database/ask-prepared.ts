/**
 * Prepared statements. Reads are shared by their callers: who asks the same in one turn of the event loop, or while that is
 * under way, is asked for together. A caller gets what was read after it came, so nothing is older than without.
 */
import type { Compilable, CompiledQuery, RawBuilder } from 'kysely'
import { JoinedCalls } from '../base/joined-calls.ts'
import type { Queries, Tx } from './database.ts'
import { prepared } from './prepared-texts.ts'

/** A query of the builder. Its text may have few forms: values are no part of it. */
export function askPrepared<Row>(queries: Queries, query: Compilable<Row>): Promise<readonly Row[]> {
  return askCompiled(queries, query.compile())
}

/** The rows are other callers' too. A transaction asks by itself: it sees what others do not. */
export async function askCompiled<Row>(queries: Queries, query: CompiledQuery<Row>): Promise<readonly Row[]> {
  prepared(query.sql)
  if (queries.isTransaction) return (await queries.executeQuery(query)).rows
  const line = lines.get(queries) ?? new JoinedCalls<readonly unknown[]>()
  lines.set(queries, line)
  const name = `${query.sql} ${JSON.stringify(query.parameters)}`
  const rows = await line.join(name, async (callers) => {
    const answer = await queries.executeQuery(query)
    return Array.from({ length: callers }, () => answer.rows)
  })
  return rows as readonly Row[]
}

/** A write whose text is always the same. */
export async function writePrepared(tx: Tx, statement: RawBuilder<unknown>): Promise<void> {
  const query = statement.compile(tx)
  prepared(query.sql)
  await tx.executeQuery(query)
}

const lines = new WeakMap<Queries, JoinedCalls<readonly unknown[]>>()
