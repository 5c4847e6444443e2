/** A reporter of Node's test runner: the files in which a test has failed, a line each. */
// biome-ignore lint/style/noDefaultExport: the runner takes a reporter so.
export default async function* failedFiles(events) {
  const told = new Set()
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || data.todo !== undefined || data.file === undefined || told.has(data.file))
      continue
    told.add(data.file)
    yield `${data.file}\n`
  }
}
