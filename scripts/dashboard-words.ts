import { readMessages } from '../tests/kit/dashboard-messages.ts'

const only = process.argv[2]
const { messages, faults } = readMessages()
console.log(faults.filter((f) => only === undefined || f.includes(only)).join('\n'))
console.error(messages.length, new Set(messages.map((m) => m.key)).size, faults.length)
