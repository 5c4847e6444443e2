/**
 * `npm run mutations`: checks that the tests detect faults. Writes each fault of mutation-seeds.mjs into its file,
 * runs the tests concerned and always restores the file. Prints which faults were detected and which were missed.
 * `npm run mutations -- 3 17 40-50` runs only those faults, counted from one.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SEEDS } from './mutation-seeds.mjs'
import { prepare, root } from './prepare.mjs'

const node = await prepare()
let putBack = () => {}
let run = null
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    run?.kill(signal)
    putBack()
    process.exit(1)
  })
}
process.on('exit', () => putBack())

const caught = { yes: 0, no: [] }
for (const number of chosenNumbers(process.argv.slice(2))) {
  const [file, from, to, tests] = SEEDS[number - 1]
  const name = `${number} ${file}: ${line(from)} → ${line(to)}`
  const isCaught = await withFault(file, [from, to], () => fails(tests))
  if (isCaught) caught.yes += 1
  else caught.no.push(name)
  process.stdout.write(`${isCaught ? 'caught    ' : 'NOT CAUGHT'} ${name}\n`)
}
process.stdout.write(
  `\n${caught.yes} caught, ${caught.no.length} not.\n${caught.no.map((name) => `  ${name}\n`).join('')}`,
)
process.exit(caught.no.length === 0 ? 0 : 1)

async function withFault(file, [from, to], work) {
  const path = join(root, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${file} has not once: ${from}`)
  putBack = () => writeFileSync(path, text)
  try {
    writeFileSync(
      path,
      text.replace(from, () => to),
    )
    return await work()
  } finally {
    putBack()
    putBack = () => {}
  }
}

async function fails(tests) {
  run = spawn(node, [join(root, 'scripts/test.mjs'), ...tests], { cwd: root, stdio: 'ignore' })
  const [code] = await once(run, 'exit')
  return code !== 0
}

function chosenNumbers(words) {
  if (words.length === 0) return SEEDS.map((_, index) => index + 1)
  return words.flatMap((word) => {
    const [first, last = first] = word.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}

function line(text) {
  return text.trim().replace(/\s+/g, ' ') || 'nothing'
}
