/** Whether git itself, with OpenSSH, takes the signature of a commit. */
import { writeFile } from 'node:fs/promises'
import type { TestRepository } from './git.ts'

/** Rejects where the commit is not signed by the key, in the name of this e-mail address. */
export async function verifyCommit(
  repository: Pick<TestRepository, 'git' | 'folder'>,
  commit: string,
  { publicKey, email }: { publicKey: string; email: string },
): Promise<void> {
  const signers = `${repository.folder}.signers`
  await writeFile(signers, `${email} namespaces="git" ${publicKey}\n`)
  const settings = ['-c', 'gpg.format=ssh', '-c', `gpg.ssh.allowedSignersFile=${signers}`]
  await repository.git(...settings, 'verify-commit', commit)
}
