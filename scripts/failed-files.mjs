/**
 * A reporter of Node's test runner: the files that failed, a line each. The runner names the file in which `test` was
 * called: for a test that a kit defines, that is the kit's; tests/kit/file-deadline.ts tells of those.
 */
// biome-ignore lint/style/noDefaultExport: the runner takes a reporter so.
export default async function* failedFiles(events) {
  const told = new Set()
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || data.todo !== undefined || !data.file?.endsWith('.test.ts')) continue
    if (told.has(data.file)) continue
    told.add(data.file)
    yield `${data.file}\n`
  }
}
