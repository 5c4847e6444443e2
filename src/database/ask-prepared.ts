/** Prepared statements, for what nearly every request asks. */
import type { Compilable, CompiledQuery, RawBuilder } from 'kysely'
import type { Queries, Tx } from './database.ts'
import { prepared } from './prepared-texts.ts'

/** A query of the builder. Its text may have few forms: values are no part of it. */
export function askPrepared<Row>(queries: Queries, query: Compilable<Row>): Promise<Row[]> {
  return askCompiled(queries, query.compile())
}

export async function askCompiled<Row>(queries: Queries, query: CompiledQuery<Row>): Promise<Row[]> {
  prepared(query.sql)
  return (await queries.executeQuery(query)).rows
}

/** A write whose text is always the same. */
export async function writePrepared(tx: Tx, statement: RawBuilder<unknown>): Promise<void> {
  await askCompiled(tx, statement.compile(tx))
}
