/**
 * Stands for the editor's API, which exists only inside the editor: modules that use it load here, and
 * tests call of them only what needs no editor.
 */
export {};
