import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { whenProofIsNeeded } from '../api/proof.ts'

interface DialogProps {
  onDone: (isProved: boolean) => void
}

/** Renders the re-authentication dialog, which is loaded when it is first needed. */
export function ProofPlace() {
  const [asked, setAsked] = useState<{
    Dialog: ComponentType<DialogProps>
    answer: (isProved: boolean) => void
  } | null>(null)
  useEffect(() => {
    whenProofIsNeeded(async () => {
      const { ProofDialog } = await import('../pages/sign-in/proof-dialog.tsx')
      return new Promise((resolve) => setAsked({ Dialog: ProofDialog, answer: resolve }))
    })
  }, [])
  if (asked === null) return null
  const { Dialog, answer } = asked
  return (
    <Dialog
      onDone={(isProved) => {
        setAsked(null)
        answer(isProved)
      }}
    />
  )
}
