/** Channel that is notified when an administrator drains or resumes a node. The payload is the ID of the node. */
export const nodesChannel = 'nodes';
