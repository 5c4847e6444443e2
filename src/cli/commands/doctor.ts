/** `octavo doctor`: reports the state of everything a node needs, with advice. */
import { loadDotEnv } from '../../app/config/config.ts'
import { runDoctor } from '../../app/doctor/doctor.ts'
import type { Finding } from '../../app/doctor/finding.ts'
import type { Command } from '../command.ts'

const MARKS: Record<Finding['state'], string> = { ok: 'ok     ', warning: 'warning', fault: 'FAULT  ' }

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check what a node needs on this machine, and how to fix it; exit code 1 on problems.',
  worksOn: 'node',
  flags: {
    objects: {
      help: 'Also read every stored object, verify its hash, and delete damaged ones.',
    },
  },
  async run({ has, print }) {
    const findings = await runDoctor({
      dotEnv: loadDotEnv(process.cwd()),
      readsObjects: has('objects'),
      report(finding) {
        for (const line of formatFinding(finding)) print.note(line)
      },
      note: print.note,
    })
    const faults = findings.filter(({ state }) => state === 'fault').length
    const warnings = findings.filter(({ state }) => state === 'warning').length
    print.result({ findings, faults, warnings }, [`${faults} faults, ${warnings} warnings.`])
    return faults > 0 ? 1 : 0
  },
}

function formatFinding({ check, state, message, remedy }: Finding): string[] {
  const head = `${MARKS[state]}  ${check.padEnd(10)}  `
  return [`${head}${message}`, ...(remedy === null ? [] : [`${' '.repeat(head.length)}${remedy}`])]
}
