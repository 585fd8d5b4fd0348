;;; plimsoll-project.el --- A folder, its server and its session  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Each project folder has one server and one session that is shown.  What the server
;; says of it goes to `plimsoll-update-functions'.

;;; Code:

(require 'cl-lib)
(require 'project)
(require 'url-util)
(require 'plimsoll-rpc)

(defgroup plimsoll nil
  "An agent that keeps its context inside the load line."
  :group 'tools
  :link '(url-link "https://pypi.org/project/plimsoll-lsp/"))

(defcustom plimsoll-command '("plimsoll" "serve")
  "The program that serves, with its arguments."
  :type '(repeat string))

(defcustom plimsoll-settings nil
  "Settings for the server, a plist such as (:model (:name \"gpt-5\"))."
  :type 'plist)

(defcustom plimsoll-trusted-folders nil
  "Folders in which the agent may read, change and run things.
Each is asked about once, when it is opened first."
  :type '(repeat directory))

(defvar plimsoll-update-functions nil
  "Functions that are called with a project and an update of its session.")

(defvar plimsoll-meter-functions nil
  "Functions that are called with a project when its load has changed.")

(defvar plimsoll-end-functions nil
  "Functions that are called with a project and a text when its server has ended.")

(cl-defstruct (plimsoll-project (:constructor plimsoll-project--make))
  "A folder with its server and the session that is shown."
  root connection session-id title mode model (seq 0) turn meter
  handlers                              ; method -> function of the project, id and params
  synced)                               ; the buffers of which the server knows

(defvar plimsoll--projects (make-hash-table :test #'equal)
  "The projects by their folders.")

(defvar-local plimsoll-buffer-project nil
  "The project to which this buffer of Plimsoll belongs.")

(defun plimsoll-projects ()
  "Return the projects whose server runs."
  (cl-loop for project being the hash-values of plimsoll--projects
           when (plimsoll-rpc-live-p (plimsoll-project-connection project))
           collect project))

(defun plimsoll-current-project ()
  "Return the project of this buffer whose server runs, or nil."
  (let ((project (or plimsoll-buffer-project
                     (gethash (plimsoll--root) plimsoll--projects))))
    (and project
         (plimsoll-rpc-live-p (plimsoll-project-connection project))
         project)))

(defun plimsoll-need-project ()
  "Return the project of this buffer, or say how one is opened."
  (or (plimsoll-current-project)
      (user-error "Nothing is open here: M-x plimsoll opens it")))

(defun plimsoll--root ()
  "Return the folder of the project of this buffer."
  (when (file-remote-p default-directory)
    (user-error "Plimsoll works in folders of this machine, and this one is elsewhere"))
  (let ((project (project-current)))
    (file-truename
     (file-name-as-directory
      (expand-file-name (if project (plimsoll--project-root project) default-directory))))))

(defun plimsoll--project-root (project)
  "Return the root of PROJECT, of project.el."
  (if (fboundp 'project-root)
      (project-root project)
    (car (with-no-warnings (project-roots project)))))

(defun plimsoll-uri (path)
  "Return PATH as the address of a file."
  (concat "file://" (mapconcat #'url-hexify-string
                               (split-string (directory-file-name (expand-file-name path)) "/")
                               "/")))

(defun plimsoll-path (uri)
  "Return the path of the address URI of a file."
  (decode-coding-string (url-unhex-string (string-remove-prefix "file://" uri)) 'utf-8))

(defun plimsoll-workspace (project)
  "Return the folder of PROJECT as an address."
  (plimsoll-uri (plimsoll-project-root project)))

(defun plimsoll-request (project method params on-result &optional on-error)
  "Send METHOD with PARAMS to the server of PROJECT.
ON-RESULT is called with the result, ON-ERROR with an error."
  (plimsoll-rpc-request (plimsoll-project-connection project) method params on-result on-error))

(defun plimsoll-ask (project method params)
  "Send METHOD with PARAMS to the server of PROJECT, and return the result."
  (plimsoll-rpc-wait (plimsoll-project-connection project) method params))

(defun plimsoll-of-session (project &rest params)
  "Return PARAMS with the session of PROJECT."
  (append (list :sessionId (plimsoll-project-session-id project)) params))

(defun plimsoll-open-project (handlers)
  "Return the project of this buffer, with its server started.
HANDLERS are functions of a project, an id and params, by their methods."
  (or (plimsoll-current-project)
      (let* ((root (plimsoll--root))
             (project (plimsoll-project--make :root root :handlers handlers)))
        (plimsoll--start project (plimsoll--trusted-p root))
        (puthash root project plimsoll--projects)
        project)))

(defun plimsoll--trusted-p (root)
  "Tell whether the person trusts ROOT; ask where they have not said so."
  (or (member root plimsoll-trusted-folders)
      (and (y-or-n-p (format "Let an agent read, change and run things in %s? "
                             (abbreviate-file-name root)))
           (progn
             (customize-save-variable 'plimsoll-trusted-folders
                                      (cons root plimsoll-trusted-folders))
             t))))

(defun plimsoll--start (project trusted)
  "Start the server of PROJECT, which the person has TRUSTED or not."
  (unless (executable-find (car plimsoll-command))
    (user-error "There is no program %s: install it (pipx install plimsoll-lsp) or set plimsoll-command"
                (car plimsoll-command)))
  (setf (plimsoll-project-connection project)
        (plimsoll-rpc-start
         plimsoll-command (plimsoll-project-root project)
         :on-notification (lambda (method params) (plimsoll--notified project method params))
         :on-request (lambda (id method params) (plimsoll--asked project id method params))
         :on-end (lambda (why) (run-hook-with-args 'plimsoll-end-functions project why))))
  (plimsoll-ask project "initialize" (plimsoll--introduction project trusted))
  (plimsoll-rpc-notify (plimsoll-project-connection project) "initialized" nil))

(defun plimsoll--introduction (project trusted)
  "Return the params of `initialize' for PROJECT, which is TRUSTED or not."
  (let ((uri (plimsoll-workspace project)))
    (list :processId (emacs-pid)
          :clientInfo (list :name "Emacs" :version emacs-version)
          :rootUri uri
          :workspaceFolders (vector (list :uri uri :name (file-name-nondirectory uri)))
          :capabilities (list :general (list :positionEncodings ["utf-32"])
                              :workspace (list :applyEdit t
                                               :workspaceEdit (list :documentChanges t)))
          :initializationOptions
          (list :plimsoll
                (append (list :protocolVersion 1
                              :capabilities (list :sessionUpdates t :permission t
                                                  :editorKnowledge t :plans t)
                              :trusted (if trusted t :json-false))
                        (and plimsoll-settings (list :settings plimsoll-settings)))))))

(defun plimsoll--notified (project method params)
  "Take METHOD with PARAMS, which the server of PROJECT told."
  (pcase method
    ("plimsoll/session/update" (plimsoll--updated project params))
    ("plimsoll/context/didChange"
     (when (equal (plist-get params :sessionId) (plimsoll-project-session-id project))
       (plimsoll-set-meter project (plist-get params :meter))))
    ("plimsoll/didChangeStatus"
     (when (member (plist-get params :kind) '("warning" "error"))
       (message "Plimsoll: %s" (plist-get params :message))))
    ("window/showMessage" (message "Plimsoll: %s" (plist-get params :message)))
    ("$/cancelRequest"
     (run-hook-with-args 'plimsoll-update-functions project
                         (list :kind "questionCancelled" :id (plist-get params :id))))))

(defun plimsoll--updated (project params)
  "Hand on what PARAMS tell of the session of PROJECT."
  (when (equal (plist-get params :sessionId) (plimsoll-project-session-id project))
    (let ((gap (> (plist-get params :seq) (1+ (plimsoll-project-seq project))))
          (update (plist-get params :update)))
      (setf (plimsoll-project-seq project) (plist-get params :seq))
      (pcase (plist-get update :kind)
        ("turnStarted" (setf (plimsoll-project-turn project) (plist-get update :turnId)))
        ("turnEnded" (setf (plimsoll-project-turn project) nil))
        ("sessionChanged" (plimsoll-set-session project (plist-get update :session))))
      (run-hook-with-args 'plimsoll-update-functions project
                          (if gap (list :kind "gap") update)))))

(defun plimsoll--asked (project id method params)
  "Answer METHOD with PARAMS, which the server of PROJECT asks by ID."
  (let ((handler (cdr (assoc method (plimsoll-project-handlers project)))))
    (if handler
        (funcall handler project id params)
      (plimsoll-rpc-refuse (plimsoll-project-connection project) id -32601
                           (format "Emacs does not answer %s" method)))))

(defun plimsoll-set-session (project session)
  "Note SESSION, as the server tells it, as the one that PROJECT shows."
  (setf (plimsoll-project-session-id project) (plist-get session :id)
        (plimsoll-project-title project) (plist-get session :title)
        (plimsoll-project-mode project) (plist-get session :mode)
        (plimsoll-project-model project) (plist-get session :model))
  (force-mode-line-update t))

(defun plimsoll-set-meter (project meter)
  "Note METER as the load of the session of PROJECT."
  (setf (plimsoll-project-meter project) meter)
  (run-hook-with-args 'plimsoll-meter-functions project)
  (force-mode-line-update t))

(defun plimsoll-load-line (project)
  "Return the load of PROJECT in a few characters, or an empty text."
  (let ((meter (and project (plimsoll-project-meter project))))
    (if (not meter)
        ""
      (let* ((percent (plist-get meter :percent))
             (full (max 0 (min 8 (round (* 0.08 percent)))))
             (zone (plist-get meter :zone)))
        (propertize
         (format "%s%s %d%%%%" (make-string full ?█) (make-string (- 8 full) ?░) (round percent))
         'face (pcase zone ("ok" 'success) ("warning" 'warning) (_ 'error))
         'help-echo (format "%s of %s tokens: %s" (plist-get meter :used)
                            (plist-get meter :effective) zone))))))

(provide 'plimsoll-project)
;;; plimsoll-project.el ends here
