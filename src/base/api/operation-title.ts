/** `createAgentJob` → `Create agent job`: what lists and pages call an operation. */
export function operationTitle(operationId: string): string {
  const words = operationId.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
